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
  mine.brand_id,
  mine.time,
  mine.time,
  mine.newest + item ->> 1,
  item ->> 0,
  item ->> 0,
  item ->> 2,
  item ->> 3,
  item ->> 4,
  item ->> 5,
  item ->> 6,
  item ->> 7,
  item ->> 8,
  item ->> 9,
  item ->> 10,
  iif(item ->> 11 = 'now', mine.time, item ->> 11)
from
  (
    select
      one.*,
      jsonb (value) as item
    from
      (
        select
          *,
          max(
            coalesce(
              (
                select
                  change_number
                from
                  "coupon_codes" as one
                where
                  one.brand_id = source.brand_id
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
                  "tombstones" as gone
                where
                  gone.brand_id = source.brand_id
                  and gone.collection = 'coupon-codes'
                order by
                  change_number desc
                limit
                  1
              ),
              0
            )
          ) as newest
        from
          (
            select
              brand_id,
              strftime('%Y-%m-%dT%H:%M:%fZ', 'now') as time
            from
              "api_keys"
            where
              (
                (
                  "api_keys"."hash" = ?
                  and (
                    "api_keys"."revoked_at" is null
                    and (
                      "api_keys"."expires_at" is null
                      or "api_keys"."expires_at" > ?
                    )
                  )
                  and "api_keys"."suspended_at" is null
                  and "api_keys"."moved_to" is null
                )
                and "api_keys"."scope" = 'write'
                and "api_keys"."frozen_at" is null
              )
          ) as source
        where
          not exists (
            select
              item.key
            from
              json_each(?) as item
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
                      (
                        (
                          "api_keys"."hash" = ?
                          and (
                            "api_keys"."revoked_at" is null
                            and (
                              "api_keys"."expires_at" is null
                              or "api_keys"."expires_at" > ?
                            )
                          )
                          and "api_keys"."suspended_at" is null
                          and "api_keys"."moved_to" is null
                        )
                        and "api_keys"."scope" = 'write'
                        and "api_keys"."frozen_at" is null
                      )
                  )
                  and other."code" = item.value ->> 0
                  and other.id <> item.value ->> 1
              )
          )
        limit
          1
      ) as one,
      (
        select
          each.value
        from
          (
            values
              (?)
          ) as part
          cross join json_each(part.column1) as each
      )
    limit
      -1
    offset
      0
  ) as mine;

select
  "keyBrandId",
  "keyScope",
  "keySuspendedAt",
  "keyFrozenAt",
  "keyMovedTo",
  "coupon_codes"."created_at" as "createdAt",
  iif(
    "coupon_codes"."id" is null,
    (
      select
        min(key)
      from
        (
          select
            item.key
          from
            json_each(?) as item
          where
            exists (
              select
                1
              from
                "coupon_codes" as other
              where
                other.brand_id = "keyBrandId"
                and other."code" = item.value ->> 0
                and other.id <> item.value ->> 1
            )
        )
    ),
    null
  ) as "taken"
from
  (
    select
      iif("moved_to" is null, "brand_id", null) as "keyBrandId",
      "scope" as "keyScope",
      "suspended_at" as "keySuspendedAt",
      "frozen_at" as "keyFrozenAt",
      "moved_to" as "keyMovedTo"
    from
      "api_keys"
    where
      (
        "api_keys"."hash" = ?
        and (
          (
            "api_keys"."revoked_at" is null
            and (
              "api_keys"."expires_at" is null
              or "api_keys"."expires_at" > ?
            )
          )
          or "api_keys"."moved_to" is not null
        )
      )
  ) "key"
  left join "coupon_codes" on (
    "coupon_codes"."brand_id" = "keyBrandId"
    and "coupon_codes"."id" = ?
  );
