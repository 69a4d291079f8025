insert into
  "idempotency_records" (brand_id, key, fingerprint, ids, created_at, results)
select
  mine.brand,
  ?,
  ?,
  ?,
  strftime('%Y-%m-%dT%H:%M:%fZ', 'now'),
  push.results
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
  ) as mine,
  (
    select
      json_group_array(json_array(n, matches, coalesce(old_id, mark), taken, differs)) as results,
      max(is_refused) as any_refused
    from
      (
        select
          item.value ->> 'n' as n,
          item.value ->> 'u' as mark,
          item.matches as matches,
          old.id as old_id,
          old.revision as old_revision,
          (
            item.value -> '$.p.code' is not null
            and exists (
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
                and other."code" = item.value ->> '$.p.code'
                and other.id <> coalesce(old.id, '')
            )
          ) as taken,
          old.id is not null
          and (
            (
              item.value -> '$.p.code' is not null
              and item.value ->> '$.p.code' is not old."code" collate binary
            )
            or (
              item.value -> '$.p.discount_percent' is not null
              and item.value ->> '$.p.discount_percent' is not old."discount_percent" collate binary
            )
            or (
              item.value -> '$.p.store_discount_id' is not null
              and item.value ->> '$.p.store_discount_id' is not old."store_discount_id" collate binary
            )
          ) as differs,
          item.matches > 1
          or (
            item.value -> '$.p.code' is not null
            and exists (
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
                and other."code" = item.value ->> '$.p.code'
                and other.id <> coalesce(old.id, '')
            )
          )
          or (
            item.matches = 0
            and item.value -> 'd' is null
          ) as is_refused,
          old.id as id,
          old.created_at as created_at,
          old.updated_at as updated_at,
          case
            when item.value -> '$.p.code' is not null then item.value ->> '$.p.code'
            when old.id is null then item.value ->> '$.d.code'
            else old."code"
          end as "code",
          case
            when old.id is null then item.value ->> '$.d.active'
            else old."active"
          end as "active",
          case
            when old.id is null then item.value ->> '$.d.category'
            else old."category"
          end as "category",
          case
            when old.id is null then item.value ->> '$.d.current_uses'
            else old."current_uses"
          end as "current_uses",
          case
            when old.id is null then item.value ->> '$.d.max_uses'
            else old."max_uses"
          end as "max_uses",
          case
            when old.id is null then item.value ->> '$.d.description'
            else old."description"
          end as "description",
          case
            when item.value -> '$.p.discount_percent' is not null then item.value ->> '$.p.discount_percent'
            when old.id is null then item.value ->> '$.d.discount_percent'
            else old."discount_percent"
          end as "discount_percent",
          case
            when item.value -> '$.p.store_discount_id' is not null then item.value ->> '$.p.store_discount_id'
            when old.id is null then item.value ->> '$.d.store_discount_id'
            else old."store_discount_id"
          end as "store_discount_id",
          case
            when old.id is null then item.value ->> '$.d.sync_status'
            else old."sync_status"
          end as "sync_status",
          case
            when old.id is null then iif(item.value ->> '$.d.last_synced_at' = 'now', null, item.value ->> '$.d.last_synced_at')
            else old."last_synced_at"
          end as "last_synced_at"
        from
          (
            select
              max(value) as value,
              count(id) as matches,
              min(id) as id
            from
              (
                select
                  item.value ->> 'v' as v,
                  item.value as value,
                  null as id
                from
                  json_each(
                    iif(
                      ?
                      and not exists (
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
                          and "idempotency_records"."created_at" > strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-24 hours')
                      ),
                      ?,
                      '[]'
                    )
                  ) as item
                union all
                select
                  "store_discount_id",
                  null,
                  id
                from
                  "coupon_codes"
                where
                  brand_id = iif(
                    ?
                    and not exists (
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
                        and "idempotency_records"."created_at" > strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-24 hours')
                    ),
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
                    ),
                    null
                  )
                  and "store_discount_id" in (
                    select
                      item.value ->> 'v'
                    from
                      json_each(
                        iif(
                          ?
                          and not exists (
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
                              and "idempotency_records"."created_at" > strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-24 hours')
                          ),
                          ?,
                          '[]'
                        )
                      ) as item
                  )
              )
            group by
              v
            having
              max(value) is not null
          ) as item
          left join "coupon_codes" as old on item.matches = 1
          and old.id = item.id
          and old.brand_id = (
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
      )
  ) as push
where
  mine.brand is not null
  and ?
  and (
    ?
    or not push.any_refused
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
    brand_id,
    id,
    created_at,
    revision,
    updated_at,
    change_number,
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
  (
    select
      "api_keys"."brand_id"
    from
      "api_keys"
    where
      "api_keys"."hash" = ?
  ),
  coalesce(old_id, mark),
  coalesce(created_at, strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  mark,
  strftime('%Y-%m-%dT%H:%M:%fZ', 'now'),
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
  ) + 1 + n,
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
from
  (
    select
      item.value ->> 'n' as n,
      item.value ->> 'u' as mark,
      item.matches as matches,
      old.id as old_id,
      old.revision as old_revision,
      (
        item.value -> '$.p.code' is not null
        and exists (
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
            )
            and other."code" = item.value ->> '$.p.code'
            and other.id <> coalesce(old.id, '')
        )
      ) as taken,
      old.id is not null
      and (
        (
          item.value -> '$.p.code' is not null
          and item.value ->> '$.p.code' is not old."code" collate binary
        )
        or (
          item.value -> '$.p.discount_percent' is not null
          and item.value ->> '$.p.discount_percent' is not old."discount_percent" collate binary
        )
        or (
          item.value -> '$.p.store_discount_id' is not null
          and item.value ->> '$.p.store_discount_id' is not old."store_discount_id" collate binary
        )
      ) as differs,
      item.matches > 1
      or (
        item.value -> '$.p.code' is not null
        and exists (
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
            )
            and other."code" = item.value ->> '$.p.code'
            and other.id <> coalesce(old.id, '')
        )
      )
      or (
        item.matches = 0
        and item.value -> 'd' is null
      ) as is_refused,
      old.id as id,
      old.created_at as created_at,
      old.updated_at as updated_at,
      case
        when item.value -> '$.p.code' is not null then item.value ->> '$.p.code'
        when old.id is null then item.value ->> '$.d.code'
        else old."code"
      end as "code",
      case
        when old.id is null then item.value ->> '$.d.active'
        else old."active"
      end as "active",
      case
        when old.id is null then item.value ->> '$.d.category'
        else old."category"
      end as "category",
      case
        when old.id is null then item.value ->> '$.d.current_uses'
        else old."current_uses"
      end as "current_uses",
      case
        when old.id is null then item.value ->> '$.d.max_uses'
        else old."max_uses"
      end as "max_uses",
      case
        when old.id is null then item.value ->> '$.d.description'
        else old."description"
      end as "description",
      case
        when item.value -> '$.p.discount_percent' is not null then item.value ->> '$.p.discount_percent'
        when old.id is null then item.value ->> '$.d.discount_percent'
        else old."discount_percent"
      end as "discount_percent",
      case
        when item.value -> '$.p.store_discount_id' is not null then item.value ->> '$.p.store_discount_id'
        when old.id is null then item.value ->> '$.d.store_discount_id'
        else old."store_discount_id"
      end as "store_discount_id",
      case
        when old.id is null then item.value ->> '$.d.sync_status'
        else old."sync_status"
      end as "sync_status",
      case
        when old.id is null then iif(item.value ->> '$.d.last_synced_at' = 'now', strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), item.value ->> '$.d.last_synced_at')
        else old."last_synced_at"
      end as "last_synced_at"
    from
      (
        select
          max(value) as value,
          count(id) as matches,
          min(id) as id
        from
          (
            select
              item.value ->> 'v' as v,
              item.value as value,
              null as id
            from
              json_each(
                iif(
                  exists (
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
                  ),
                  ?,
                  '[]'
                )
              ) as item
            union all
            select
              "store_discount_id",
              null,
              id
            from
              "coupon_codes"
            where
              brand_id = iif(
                exists (
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
                ),
                (
                  select
                    "api_keys"."brand_id"
                  from
                    "api_keys"
                  where
                    "api_keys"."hash" = ?
                ),
                null
              )
              and "store_discount_id" in (
                select
                  item.value ->> 'v'
                from
                  json_each(
                    iif(
                      exists (
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
                      ),
                      ?,
                      '[]'
                    )
                  ) as item
              )
          )
        group by
          v
        having
          max(value) is not null
      ) as item
      left join "coupon_codes" as old on item.matches = 1
      and old.id = item.id
      and old.brand_id = (
        select
          "api_keys"."brand_id"
        from
          "api_keys"
        where
          "api_keys"."hash" = ?
      )
  )
where
  not is_refused
  and (
    old_id is null
    or differs
  )
  and (
    not ?
    or mark not in (
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
  )
on conflict (brand_id, id) do update
set
  "revision" = excluded."revision",
  "updated_at" = excluded."updated_at",
  "change_number" = excluded."change_number",
  "code" = excluded."code",
  "discount_percent" = excluded."discount_percent"
where
  excluded.id <> excluded.revision;

select
  "coupon_codes"."id",
  json_object(
    'id',
    "coupon_codes"."id",
    'code',
    "coupon_codes"."code",
    'active',
    json(
      case "coupon_codes"."active"
        when 1 then 'true'
        when 0 then 'false'
        else 'null'
      end
    ),
    'category',
    "coupon_codes"."category",
    'currentUses',
    "coupon_codes"."current_uses",
    'maxUses',
    "coupon_codes"."max_uses",
    'description',
    "coupon_codes"."description",
    'discountPercent',
    iif(
      "coupon_codes"."discount_percent" = cast("coupon_codes"."discount_percent" as integer),
      cast("coupon_codes"."discount_percent" as integer),
      "coupon_codes"."discount_percent"
    ),
    'storeDiscountId',
    "coupon_codes"."store_discount_id",
    'syncStatus',
    "coupon_codes"."sync_status",
    'lastSyncedAt',
    "coupon_codes"."last_synced_at"
  ) as json
from
  json_each(
    (
      select
        "idempotency_records"."results"
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
    )
  ) as item
  cross join "coupon_codes" on "coupon_codes"."brand_id" = (
    select
      "api_keys"."brand_id"
    from
      "api_keys"
    where
      "api_keys"."hash" = ?
  )
  and "coupon_codes"."id" = item.value ->> 2;

select
  n,
  matches,
  old_id,
  mark,
  taken,
  differs,
  old_revision
from
  (
    select
      item.value ->> 'n' as n,
      item.value ->> 'u' as mark,
      item.matches as matches,
      old.id as old_id,
      old.revision as old_revision,
      (
        item.value -> '$.p.code' is not null
        and exists (
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
            and other."code" = item.value ->> '$.p.code'
            and other.id <> coalesce(old.id, '')
        )
      ) as taken,
      old.id is not null
      and (
        (
          item.value -> '$.p.code' is not null
          and item.value ->> '$.p.code' is not old."code" collate binary
        )
        or (
          item.value -> '$.p.discount_percent' is not null
          and item.value ->> '$.p.discount_percent' is not old."discount_percent" collate binary
        )
        or (
          item.value -> '$.p.store_discount_id' is not null
          and item.value ->> '$.p.store_discount_id' is not old."store_discount_id" collate binary
        )
      ) as differs,
      item.matches > 1
      or (
        item.value -> '$.p.code' is not null
        and exists (
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
            and other."code" = item.value ->> '$.p.code'
            and other.id <> coalesce(old.id, '')
        )
      )
      or (
        item.matches = 0
        and item.value -> 'd' is null
      ) as is_refused,
      old.id as id,
      old.created_at as created_at,
      old.updated_at as updated_at,
      case
        when item.value -> '$.p.code' is not null then item.value ->> '$.p.code'
        when old.id is null then item.value ->> '$.d.code'
        else old."code"
      end as "code",
      case
        when old.id is null then item.value ->> '$.d.active'
        else old."active"
      end as "active",
      case
        when old.id is null then item.value ->> '$.d.category'
        else old."category"
      end as "category",
      case
        when old.id is null then item.value ->> '$.d.current_uses'
        else old."current_uses"
      end as "current_uses",
      case
        when old.id is null then item.value ->> '$.d.max_uses'
        else old."max_uses"
      end as "max_uses",
      case
        when old.id is null then item.value ->> '$.d.description'
        else old."description"
      end as "description",
      case
        when item.value -> '$.p.discount_percent' is not null then item.value ->> '$.p.discount_percent'
        when old.id is null then item.value ->> '$.d.discount_percent'
        else old."discount_percent"
      end as "discount_percent",
      case
        when item.value -> '$.p.store_discount_id' is not null then item.value ->> '$.p.store_discount_id'
        when old.id is null then item.value ->> '$.d.store_discount_id'
        else old."store_discount_id"
      end as "store_discount_id",
      case
        when old.id is null then item.value ->> '$.d.sync_status'
        else old."sync_status"
      end as "sync_status",
      case
        when old.id is null then iif(item.value ->> '$.d.last_synced_at' = 'now', null, item.value ->> '$.d.last_synced_at')
        else old."last_synced_at"
      end as "last_synced_at"
    from
      (
        select
          max(value) as value,
          count(id) as matches,
          min(id) as id
        from
          (
            select
              item.value ->> 'v' as v,
              item.value as value,
              null as id
            from
              json_each(
                iif(
                  not exists (
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
                      and "idempotency_records"."created_at" > strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-24 hours')
                  ),
                  ?,
                  '[]'
                )
              ) as item
            union all
            select
              "store_discount_id",
              null,
              id
            from
              "coupon_codes"
            where
              brand_id = iif(
                not exists (
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
                    and "idempotency_records"."created_at" > strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-24 hours')
                ),
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
                ),
                null
              )
              and "store_discount_id" in (
                select
                  item.value ->> 'v'
                from
                  json_each(
                    iif(
                      not exists (
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
                          and "idempotency_records"."created_at" > strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-24 hours')
                      ),
                      ?,
                      '[]'
                    )
                  ) as item
              )
          )
        group by
          v
        having
          max(value) is not null
      ) as item
      left join "coupon_codes" as old on item.matches = 1
      and old.id = item.id
      and old.brand_id = (
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
  );

select
  key.brand_id,
  key.scope,
  record.ids ->> 0 is ? as has_written,
  record.fingerprint,
  record.ids ->> 0 as request,
  record.results
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
  or record.ids ->> 0 is ?;
