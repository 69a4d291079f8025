insert into
  "tombstones" (brand_id, collection, change_number, id, request, created_at, deleted_at)
select
  "coupon_codes"."brand_id",
  'coupon-codes',
  1 + max(
    coalesce(
      (
        select
          change_number
        from
          "coupon_codes"
        where
          brand_id = (
            select
              "api_keys"."brand_id"
            from
              "api_keys"
            where
              "api_keys"."hash" = ?
              and "api_keys"."revoked_at" is null
              and (
                "api_keys"."expires_at" is null
                or "api_keys"."expires_at" > strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
              )
              and "api_keys"."scope" = 'write'
          )
        order by
          change_number desc
        limit
          1
      ),
      0
    ),
    coalesce(
      (
        select
          change_number
        from
          "tombstones"
        where
          brand_id = (
            select
              "api_keys"."brand_id"
            from
              "api_keys"
            where
              "api_keys"."hash" = ?
              and "api_keys"."revoked_at" is null
              and (
                "api_keys"."expires_at" is null
                or "api_keys"."expires_at" > strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
              )
              and "api_keys"."scope" = 'write'
          )
          and collection = 'coupon-codes'
        order by
          change_number desc
        limit
          1
      ),
      0
    )
  ),
  "coupon_codes"."id",
  ?,
  "coupon_codes"."created_at",
  strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
from
  "coupon_codes"
where
  "coupon_codes"."brand_id" = (
    select
      "api_keys"."brand_id"
    from
      "api_keys"
    where
      "api_keys"."hash" = ?
      and "api_keys"."revoked_at" is null
      and (
        "api_keys"."expires_at" is null
        or "api_keys"."expires_at" > strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
      )
      and "api_keys"."scope" = 'write'
  )
  and "coupon_codes"."id" = ?
  and (
    ? is null
    or "coupon_codes"."revision" in (
      select
        value
      from
        json_each(?)
    )
  )
  and not (
    ? is null
    or "coupon_codes"."revision" in (
      select
        value
      from
        json_each(?)
    )
  );

delete from "coupon_codes"
where
  "coupon_codes"."brand_id" = (
    select
      "api_keys"."brand_id"
    from
      "api_keys"
    where
      "api_keys"."hash" = ?
  )
  and "coupon_codes"."id" = ?
  and (
    select
      request
    from
      "tombstones"
    where
      brand_id = (
        select
          "api_keys"."brand_id"
        from
          "api_keys"
        where
          "api_keys"."hash" = ?
      )
      and collection = 'coupon-codes'
    order by
      change_number desc
    limit
      1
  ) is ?;

select
  key.brand_id,
  key.scope,
  (
    (
      select
        request
      from
        "tombstones"
      where
        brand_id = (
          select
            "api_keys"."brand_id"
          from
            "api_keys"
          where
            "api_keys"."hash" = ?
        )
        and collection = 'coupon-codes'
      order by
        change_number desc
      limit
        1
    ) is ?
    or exists (
      select
        1
      from
        (
          select
            id,
            request,
            created_at
          from
            "tombstones"
          where
            brand_id = (
              select
                "api_keys"."brand_id"
              from
                "api_keys"
              where
                "api_keys"."hash" = ?
            )
            and collection = 'coupon-codes'
            and ?
          order by
            change_number desc
          limit
            1000
        ) as recent
      where
        recent.request = ?
    )
  ) as has_written,
  "coupon_codes"."revision"
from
  (
    select
      "api_keys"."brand_id",
      "api_keys"."scope",
      "api_keys"."revoked_at" is null
      and (
        "api_keys"."expires_at" is null
        or "api_keys"."expires_at" > strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
      ) as is_live
    from
      "api_keys"
    where
      "api_keys"."hash" = ?
  ) as key
  left join "coupon_codes" on "coupon_codes"."brand_id" = key.brand_id
  and "coupon_codes"."id" = ?
where
  key.is_live
  or (
    (
      select
        request
      from
        "tombstones"
      where
        brand_id = (
          select
            "api_keys"."brand_id"
          from
            "api_keys"
          where
            "api_keys"."hash" = ?
        )
        and collection = 'coupon-codes'
      order by
        change_number desc
      limit
        1
    ) is ?
    or exists (
      select
        1
      from
        (
          select
            id,
            request,
            created_at
          from
            "tombstones"
          where
            brand_id = (
              select
                "api_keys"."brand_id"
              from
                "api_keys"
              where
                "api_keys"."hash" = ?
            )
            and collection = 'coupon-codes'
            and ?
          order by
            change_number desc
          limit
            1000
        ) as recent
      where
        recent.request = ?
    )
  );
