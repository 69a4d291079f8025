insert into
  "idempotency_records" (brand_id, key, fingerprint, ids, created_at, results)
select
  mine.brand,
  ?,
  ?,
  ?,
  strftime('%Y-%m-%dT%H:%M:%fZ', 'now'),
  null
from
  (
    select
      (
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
      ) as brand
  ) as mine
where
  mine.brand is not null
  and not exists (
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
              "api_keys"."hash" = ?
              and "api_keys"."revoked_at" is null
              and (
                "api_keys"."expires_at" is null
                or "api_keys"."expires_at" > strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
              )
              and "api_keys"."scope" = 'write'
          )
          and other."code" = item.value ->> 0
          and other.id <> item.value ->> 1
      )
  )
on conflict (brand_id, key) do update
set
  fingerprint = excluded.fingerprint,
  ids = excluded.ids,
  created_at = excluded.created_at,
  results = excluded.results
where
  "idempotency_records"."created_at" <= strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-24 hours');

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
          "api_keys"."hash" = ?
      ) as brand,
      (
        select
          "idempotency_records"."created_at"
        from
          "idempotency_records"
        where
          "idempotency_records"."brand_id" = (
            select
              "api_keys"."brand_id"
            from
              "api_keys"
            where
              "api_keys"."hash" = ?
          )
          and "idempotency_records"."key" = ?
      ) as time,
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
                  "api_keys"."hash" = ?
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
  json_each(?) as item
where
  mine.brand is not null
  and exists (
    select
      1
    from
      "idempotency_records"
    where
      "idempotency_records"."brand_id" = (
        select
          "api_keys"."brand_id"
        from
          "api_keys"
        where
          "api_keys"."hash" = ?
      )
      and "idempotency_records"."key" = ?
      and "idempotency_records"."ids" = ?
  )
  and item.value ->> 'id' not in (
    select
      id
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
      )
  )
on conflict (brand_id, id) do nothing;

select
  key.brand_id,
  key.scope,
  record.ids is ? as has_written,
  coalesce(
    (
      select
        created_at
      from
        "coupon_codes"
      where
        brand_id = key.brand_id
        and id = ?
    ),
    (
      select
        created_at
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
        )
      where
        id = ?
    )
  ) as created_at,
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
              other.brand_id = key.brand_id
              and other."code" = item.value ->> 0
              and other.id <> item.value ->> 1
          )
      )
  ) as taken,
  record.fingerprint,
  record.ids,
  record.created_at as recorded_at
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
  left join "idempotency_records" as record on record.brand_id = key.brand_id
  and record.key = ?
  and record.created_at > strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-24 hours')
where
  key.is_live
  or record.ids is ?;
