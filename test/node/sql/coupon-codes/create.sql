insert into
  "coupon_codes" (
    "brand_id",
    "created_at",
    "updated_at",
    "change_number",
    "id",
    "revision",
    "code",
    "active",
    "category",
    "current_uses",
    "max_uses",
    "description",
    "discount_percent",
    "store_discount_id",
    "sync_status",
    "last_synced_at"
  )
select
  mine.brand,
  mine.time,
  mine.time,
  mine.newest + item.value ->> 'place',
  item.value ->> 'id',
  item.value ->> 'id',
  item.value ->> 'code',
  item.value ->> 'active',
  item.value ->> 'category',
  item.value ->> 'current_uses',
  item.value ->> 'max_uses',
  item.value ->> 'description',
  item.value ->> 'discount_percent',
  item.value ->> 'store_discount_id',
  item.value ->> 'sync_status',
  iif(item.value ->> 'last_synced_at' = 'now', mine.time, item.value ->> 'last_synced_at')
from
  (
    select
      (
        select
          "api_keys"."brand_id"
        from
          "api_keys"
        where
          "api_keys"."hash" = ?1
          and "api_keys"."revoked_at" is null
          and (
            "api_keys"."expires_at" is null
            or "api_keys"."expires_at" > strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
          )
          and "api_keys"."suspended_at" is null
          and "api_keys"."scope" = 'write'
      ) as brand,
      strftime('%Y-%m-%dT%H:%M:%fZ', 'now') as time,
      max(
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
                  "api_keys"."hash" = ?1
                  and "api_keys"."revoked_at" is null
                  and (
                    "api_keys"."expires_at" is null
                    or "api_keys"."expires_at" > strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
                  )
                  and "api_keys"."suspended_at" is null
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
                  "api_keys"."hash" = ?1
                  and "api_keys"."revoked_at" is null
                  and (
                    "api_keys"."expires_at" is null
                    or "api_keys"."expires_at" > strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
                  )
                  and "api_keys"."suspended_at" is null
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
      ) as newest
  ) as mine,
  json_each(?2) as item
where
  mine.brand is not null
  and not exists (
    select
      item.key
    from
      json_each(?3) as item
    where
      exists (
        select
          1
        from
          "coupon_codes" as other
        where
          other.brand_id = (
            select
              "api_keys"."brand_id"
            from
              "api_keys"
            where
              "api_keys"."hash" = ?1
              and "api_keys"."revoked_at" is null
              and (
                "api_keys"."expires_at" is null
                or "api_keys"."expires_at" > strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
              )
              and "api_keys"."suspended_at" is null
              and "api_keys"."scope" = 'write'
          )
          and other."code" = item.value ->> 0
          and other.id <> item.value ->> 1
      )
  )
  and item.value ->> 'id' not in (
    select
      id
    from
      (
        select
          id,
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
              "api_keys"."hash" = ?1
              and "api_keys"."revoked_at" is null
              and (
                "api_keys"."expires_at" is null
                or "api_keys"."expires_at" > strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
              )
              and "api_keys"."suspended_at" is null
              and "api_keys"."scope" = 'write'
          )
          and collection = 'coupon-codes'
          and ?4
        order by
          change_number desc
        limit
          1000
      )
  )
on conflict (brand_id, id) do nothing;

select
  key.*,
  exists (
    select
      1
    from
      "coupon_codes"
    where
      brand_id = key.brand_id
      and id = ?1
  ) as has_written,
  (
    select
      created_at
    from
      "coupon_codes"
    where
      brand_id = key.brand_id
      and id = ?1
  ) as created_at,
  iif(
    ?2,
    ?1 in (
      select
        id
      from
        (
          select
            id,
            request
          from
            "tombstones"
          where
            brand_id = key.brand_id
            and collection = 'coupon-codes'
            and ?2
          order by
            change_number desc
          limit
            1000
        )
    ),
    0
  ) as is_gone,
  (
    select
      min(key)
    from
      (
        select
          item.key
        from
          json_each(?3) as item
        where
          exists (
            select
              1
            from
              "coupon_codes" as other
            where
              other.brand_id = key.brand_id
              and other."code" = item.value ->> 0
              and other.id <> item.value ->> 1
          )
      )
  ) as taken
from
  (
    select
      "api_keys"."brand_id",
      "api_keys"."scope",
      "api_keys"."suspended_at",
      "api_keys"."revoked_at" is null
      and (
        "api_keys"."expires_at" is null
        or "api_keys"."expires_at" > strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
      ) as is_live
    from
      "api_keys"
    where
      "api_keys"."hash" = ?4
  ) as key
where
  key.is_live
  or has_written;
