insert into
  "idempotency_records" (brand_id, key, fingerprint, request, created_at, results)
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
      ) as brand
  ) as mine,
  (
    select
      json_group_array(
        json_array(n, outcome, id, matches)
        order by
          n
      ) as results,
      max(outcome) > 4 as is_refused,
      max(outcome between 2 and 4) as has_work
    from
      (
        select
          *,
          iif(outcome = 2, candidate, old_id) as id
        from
          (
            select
              item.n,
              item.candidate,
              old.id as old_id,
              found ->> 0 as matches,
              case
                when found ->> 0 > 1 then 5
                when kind = 2 then case
                  when old.id is null then 0
                  when 0 then 1
                  else 4
                end
                when old.id is null
                and kind = 0 then 6
                when 0 then 1
                when 0 then 7
                when old.id is null then 2
                when (
                  item.sets & 1
                  and item."code" is not old."code" collate binary
                )
                or (
                  item.sets & 2
                  and item."active" is not old."active" collate binary
                )
                or (
                  item.sets & 4
                  and item."category" is not old."category" collate binary
                )
                or (
                  item.sets & 8
                  and item."current_uses" is not old."current_uses" collate binary
                )
                or (
                  item.sets & 16
                  and item."max_uses" is not old."max_uses" collate binary
                )
                or (
                  item.sets & 32
                  and item."description" is not old."description" collate binary
                )
                or (
                  item.sets & 64
                  and item."discount_percent" is not old."discount_percent" collate binary
                )
                or (
                  item.sets & 128
                  and item."store_discount_id" is not old."store_discount_id" collate binary
                )
                or (
                  item.sets & 256
                  and item."sync_status" is not old."sync_status" collate binary
                )
                or (
                  item.sets & 512
                  and item."last_synced_at" is not old."last_synced_at" collate binary
                ) then 3
                else 0
              end as outcome
            from
              (
                select
                  parsed ->> 0 as "n",
                  parsed ->> 1 as "v",
                  parsed ->> 2 as "candidate",
                  parsed ->> 3 as "sets",
                  parsed ->> 4 as "kind",
                  parsed ->> 5 as "code",
                  parsed ->> 6 as "active",
                  parsed ->> 7 as "category",
                  parsed ->> 8 as "current_uses",
                  parsed ->> 9 as "max_uses",
                  parsed ->> 10 as "description",
                  parsed ->> 11 as "discount_percent",
                  parsed ->> 12 as "store_discount_id",
                  parsed ->> 13 as "sync_status",
                  parsed ->> 14 as "last_synced_at",
                  (
                    select
                      json_array(count(*), min(hit.id))
                    from
                      "coupon_codes" as hit
                    where
                      hit.brand_id = (
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
                      and hit."code" = parsed ->> 1
                  ) as found
                from
                  (
                    select
                      jsonb (value) as parsed
                    from
                      (
                        select
                          each.value
                        from
                          (
                            values
                              (?)
                          ) as part
                          cross join json_each(
                            iif(
                              (
                                select
                                  results
                                from
                                  "idempotency_records"
                                where
                                  brand_id = (
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
                                  and key = ?
                                  and (
                                    request = ?
                                    or (
                                      key <> ''
                                      and created_at > strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-24 hours')
                                    )
                                  )
                              ) is null,
                              part.column1,
                              '[]'
                            )
                          ) as each
                      )
                    limit
                      -1
                    offset
                      0
                  )
                limit
                  -1
                offset
                  0
              ) as item
              left join "coupon_codes" as old on old.brand_id = (
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
              and found ->> 0 = 1
              and old.id = found ->> 1
            limit
              -1
            offset
              0
          )
      )
  ) as push
where
  mine.brand is not null
  and ?
  and (
    ?
    or not push.is_refused
  )
  and (
    ? <> ''
    or push.has_work
  )
on conflict (brand_id, key) do update
set
  fingerprint = excluded.fingerprint,
  request = excluded.request,
  created_at = excluded.created_at,
  results = excluded.results
where
  key = ''
  or created_at <= strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-24 hours');

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
  ),
  planned_id,
  coalesce(old.created_at, strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  ?,
  strftime('%Y-%m-%dT%H:%M:%fZ', 'now'),
  max(
    coalesce(
      (
        select
          change_number
        from
          "coupon_codes" as one
        where
          one.brand_id = (
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
          gone.brand_id = (
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
          and gone.collection = 'coupon-codes'
        order by
          change_number desc
        limit
          1
      ),
      0
    )
  ) + 1 + n,
  iif(
    outcome = 2
    or item.sets & 1,
    item."code",
    old."code"
  ),
  iif(
    outcome = 2
    or item.sets & 2,
    item."active",
    old."active"
  ),
  iif(
    outcome = 2
    or item.sets & 4,
    item."category",
    old."category"
  ),
  iif(
    outcome = 2
    or item.sets & 8,
    item."current_uses",
    old."current_uses"
  ),
  iif(
    outcome = 2
    or item.sets & 16,
    item."max_uses",
    old."max_uses"
  ),
  iif(
    outcome = 2
    or item.sets & 32,
    item."description",
    old."description"
  ),
  iif(
    outcome = 2
    or item.sets & 64,
    item."discount_percent",
    old."discount_percent"
  ),
  iif(
    outcome = 2
    or item.sets & 128,
    item."store_discount_id",
    old."store_discount_id"
  ),
  iif(
    outcome = 2
    or item.sets & 256,
    item."sync_status",
    old."sync_status"
  ),
  iif(
    outcome = 2
    or item.sets & 512,
    iif(item."last_synced_at" = 'now', strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), item."last_synced_at"),
    old."last_synced_at"
  )
from
  (
    select
      parsed ->> 0 as "n",
      parsed ->> 1 as "v",
      parsed ->> 2 as "candidate",
      parsed ->> 3 as "sets",
      parsed ->> 4 as "kind",
      parsed ->> 5 as "code",
      parsed ->> 6 as "active",
      parsed ->> 7 as "category",
      parsed ->> 8 as "current_uses",
      parsed ->> 9 as "max_uses",
      parsed ->> 10 as "description",
      parsed ->> 11 as "discount_percent",
      parsed ->> 12 as "store_discount_id",
      parsed ->> 13 as "sync_status",
      parsed ->> 14 as "last_synced_at",
      (
        select
          jsonb (results)
        from
          "idempotency_records"
        where
          brand_id = (
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
          and key = ?
          and request = ?
      ) -> (parsed ->> 0) ->> 1 as outcome,
      (
        select
          jsonb (results)
        from
          "idempotency_records"
        where
          brand_id = (
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
          and key = ?
          and request = ?
      ) -> (parsed ->> 0) ->> 2 as planned_id
    from
      (
        select
          jsonb (value) as parsed
        from
          (
            select
              each.value
            from
              (
                values
                  (?)
              ) as part
              cross join json_each(
                iif(
                  (
                    select
                      jsonb (results)
                    from
                      "idempotency_records"
                    where
                      brand_id = (
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
                      and key = ?
                      and request = ?
                  ) is not null,
                  part.column1,
                  '[]'
                )
              ) as each
          )
        limit
          -1
        offset
          0
      )
    limit
      -1
    offset
      0
  ) as item
  left join "coupon_codes" as old on old.brand_id = (
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
  and old.id = planned_id
where
  outcome between 2 and 3
on conflict (brand_id, id) do update
set
  "revision" = excluded."revision",
  "updated_at" = excluded."updated_at",
  "change_number" = excluded."change_number",
  "code" = excluded."code",
  "discount_percent" = excluded."discount_percent";

select
  "coupon_codes"."code" as "code",
  "coupon_codes"."active" as "active",
  "coupon_codes"."category" as "category",
  "coupon_codes"."current_uses" as "currentUses",
  "coupon_codes"."max_uses" as "maxUses",
  iif((0 + coalesce(octet_length ("coupon_codes"."description"), 0)) > ?, null, "coupon_codes"."description") as "description",
  "coupon_codes"."discount_percent" as "discountPercent",
  "coupon_codes"."store_discount_id" as "storeDiscountId",
  "coupon_codes"."sync_status" as "syncStatus",
  "coupon_codes"."last_synced_at" as "lastSyncedAt",
  "coupon_codes"."id" as "id",
  (0 + coalesce(octet_length ("coupon_codes"."description"), 0)) as "bytes",
  planned.old_id as "matchedId",
  planned.n as "n",
  planned.outcome as "outcome",
  planned.matches as "matches"
from
  (
    select
      *,
      iif(outcome = 2, candidate, old_id) as id
    from
      (
        select
          item.n,
          item.candidate,
          old.id as old_id,
          found ->> 0 as matches,
          case
            when found ->> 0 > 1 then 5
            when kind = 2 then case
              when old.id is null then 0
              when 0 then 1
              else 4
            end
            when old.id is null
            and kind = 0 then 6
            when 0 then 1
            when 0 then 7
            when old.id is null then 2
            when (
              item.sets & 1
              and item."code" is not old."code" collate binary
            )
            or (
              item.sets & 2
              and item."active" is not old."active" collate binary
            )
            or (
              item.sets & 4
              and item."category" is not old."category" collate binary
            )
            or (
              item.sets & 8
              and item."current_uses" is not old."current_uses" collate binary
            )
            or (
              item.sets & 16
              and item."max_uses" is not old."max_uses" collate binary
            )
            or (
              item.sets & 32
              and item."description" is not old."description" collate binary
            )
            or (
              item.sets & 64
              and item."discount_percent" is not old."discount_percent" collate binary
            )
            or (
              item.sets & 128
              and item."store_discount_id" is not old."store_discount_id" collate binary
            )
            or (
              item.sets & 256
              and item."sync_status" is not old."sync_status" collate binary
            )
            or (
              item.sets & 512
              and item."last_synced_at" is not old."last_synced_at" collate binary
            ) then 3
            else 0
          end as outcome
        from
          (
            select
              parsed ->> 0 as "n",
              parsed ->> 1 as "v",
              parsed ->> 2 as "candidate",
              parsed ->> 3 as "sets",
              parsed ->> 4 as "kind",
              parsed ->> 5 as "code",
              parsed ->> 6 as "active",
              parsed ->> 7 as "category",
              parsed ->> 8 as "current_uses",
              parsed ->> 9 as "max_uses",
              parsed ->> 10 as "description",
              parsed ->> 11 as "discount_percent",
              parsed ->> 12 as "store_discount_id",
              parsed ->> 13 as "sync_status",
              parsed ->> 14 as "last_synced_at",
              (
                select
                  json_array(count(*), min(hit.id))
                from
                  "coupon_codes" as hit
                where
                  hit.brand_id = (
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
                  and hit."code" = parsed ->> 1
              ) as found
            from
              (
                select
                  jsonb (value) as parsed
                from
                  (
                    select
                      each.value
                    from
                      (
                        values
                          (?)
                      ) as part
                      cross join json_each(
                        iif(
                          (
                            select
                              results
                            from
                              "idempotency_records"
                            where
                              brand_id = (
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
                              and key = ?
                              and (
                                request = ?
                                or (
                                  key <> ''
                                  and created_at > strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-24 hours')
                                )
                              )
                          ) is null,
                          part.column1,
                          '[]'
                        )
                      ) as each
                  )
                limit
                  -1
                offset
                  0
              )
            limit
              -1
            offset
              0
          ) as item
          left join "coupon_codes" as old on old.brand_id = (
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
          and found ->> 0 = 1
          and old.id = found ->> 1
        limit
          -1
        offset
          0
      )
  ) as planned
  left join "coupon_codes" on (
    "coupon_codes"."brand_id" = (
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
    and "coupon_codes"."id" = planned.old_id
  );

select
  "coupon_codes"."code" as "code",
  "coupon_codes"."active" as "active",
  "coupon_codes"."category" as "category",
  "coupon_codes"."current_uses" as "currentUses",
  "coupon_codes"."max_uses" as "maxUses",
  iif((0 + coalesce(octet_length ("coupon_codes"."description"), 0)) > ?, null, "coupon_codes"."description") as "description",
  "coupon_codes"."discount_percent" as "discountPercent",
  "coupon_codes"."store_discount_id" as "storeDiscountId",
  "coupon_codes"."sync_status" as "syncStatus",
  "coupon_codes"."last_synced_at" as "lastSyncedAt",
  "coupon_codes"."id" as "id",
  (0 + coalesce(octet_length ("coupon_codes"."description"), 0)) as "bytes"
from
  json_each(
    (
      select
        results
      from
        "idempotency_records"
      where
        brand_id = (
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
        and key = ?
        and (
          request = ?
          or (
            key <> ''
            and created_at > strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-24 hours')
          )
        )
    )
  ) as item
  cross join "coupon_codes"
where
  (
    "coupon_codes"."brand_id" = (
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
    and "coupon_codes"."id" = iif(item.type = 'array', item.value ->> 2, null)
  );

select
  "keyBrandId",
  "keyScope",
  "keySuspendedAt",
  "keyFrozenAt",
  "keyMovedTo",
  record.fingerprint as "fingerprint",
  record.results as "results",
  record.created_at as "recordedAt",
  record.request = ? as "hasRecorded"
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
  left join "idempotency_records" as record on record.brand_id = "keyBrandId"
  and record.key = ?
  and record.created_at > strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-24 hours');
