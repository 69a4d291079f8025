select
  n,
  matches,
  old_id,
  mark,
  taken,
  differs,
  is_refused,
  ours,
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
  (
    select
      n,
      matches,
      old_id,
      mark,
      taken,
      differs,
      is_refused,
      ours,
      text_bytes,
      coalesce(old_id, iif(?, null, mark)) as id,
      coalesce(created_at, ?) as created_at,
      iif(
        differs
        or old_id = mark,
        ?,
        coalesce(updated_at, ?)
      ) as updated_at,
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
          n,
          mark,
          coalesce(hit.matches, 0) as matches,
          old.id as old_id,
          substr(old.revision, 1, 35) = substr(mark, 1, 35) as ours,
          (
            item.sets & 1
            and exists (
              select
                1
              from
                "coupon_codes" as other
              where
                other.brand_id = iif(
                  ?,
                  (
                    select
                      "api_keys"."brand_id"
                    from
                      "api_keys"
                    where
                      "api_keys"."hash" = ?
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
                  )
                )
                and other."code" = item."code"
                and other.id <> coalesce(old.id, '')
            )
          ) as taken,
          old.id is not null
          and (
            (
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
            )
          ) as differs,
          coalesce(hit.matches, 0) > 1
          or (
            item.sets & 1
            and exists (
              select
                1
              from
                "coupon_codes" as other
              where
                other.brand_id = iif(
                  ?,
                  (
                    select
                      "api_keys"."brand_id"
                    from
                      "api_keys"
                    where
                      "api_keys"."hash" = ?
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
                  )
                )
                and other."code" = item."code"
                and other.id <> coalesce(old.id, '')
            )
          )
          or (
            coalesce(hit.matches, 0) = 0
            and not creates
          ) as is_refused,
          iif(
            old.id is null,
            0,
            0 + coalesce(iif(item.sets & 1, octet_length (item."code"), octet_length (old."code")), 0) + coalesce(iif(item.sets & 4, octet_length (item."category"), octet_length (old."category")), 0) + coalesce(iif(item.sets & 32, octet_length (item."description"), octet_length (old."description")), 0) + coalesce(iif(item.sets & 128, octet_length (item."store_discount_id"), octet_length (old."store_discount_id")), 0) + coalesce(iif(item.sets & 256, octet_length (item."sync_status"), octet_length (old."sync_status")), 0) + coalesce(iif(item.sets & 512, octet_length (item."last_synced_at"), octet_length (old."last_synced_at")), 0)
          ) as text_bytes,
          old.id as id,
          old.created_at as created_at,
          old.updated_at as updated_at,
          iif(
            old.id is null
            or old.id = mark
            or item.sets & 1,
            item."code",
            old."code"
          ) as "code",
          iif(
            old.id is null
            or old.id = mark
            or item.sets & 2,
            item."active",
            old."active"
          ) as "active",
          iif(
            old.id is null
            or old.id = mark
            or item.sets & 4,
            item."category",
            old."category"
          ) as "category",
          iif(
            old.id is null
            or old.id = mark
            or item.sets & 8,
            item."current_uses",
            old."current_uses"
          ) as "current_uses",
          iif(
            old.id is null
            or old.id = mark
            or item.sets & 16,
            item."max_uses",
            old."max_uses"
          ) as "max_uses",
          iif(
            old.id is null
            or old.id = mark
            or item.sets & 32,
            item."description",
            old."description"
          ) as "description",
          iif(
            old.id is null
            or old.id = mark
            or item.sets & 64,
            item."discount_percent",
            old."discount_percent"
          ) as "discount_percent",
          iif(
            old.id is null
            or old.id = mark
            or item.sets & 128,
            item."store_discount_id",
            old."store_discount_id"
          ) as "store_discount_id",
          iif(
            old.id is null
            or old.id = mark
            or item.sets & 256,
            item."sync_status",
            old."sync_status"
          ) as "sync_status",
          iif(
            old.id is null
            or old.id = mark
            or item.sets & 512,
            iif(item."last_synced_at" = 'now', ?, item."last_synced_at"),
            old."last_synced_at"
          ) as "last_synced_at"
        from
          (
            select
              parsed ->> 0 as "n",
              parsed ->> 1 as "v",
              parsed ->> 2 as "mark",
              parsed ->> 3 as "sets",
              parsed ->> 4 as "creates",
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
              null as found
            from
              (
                select
                  jsonb (value) as parsed
                from
                  json_each(iif(1, ?, '[]'))
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
          left join (
            select
              "store_discount_id" as v,
              count(*) as matches,
              min(id) as id
            from
              "coupon_codes"
            where
              brand_id = iif(
                1,
                iif(
                  ?,
                  (
                    select
                      "api_keys"."brand_id"
                    from
                      "api_keys"
                    where
                      "api_keys"."hash" = ?
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
                  )
                ),
                null
              )
              and "store_discount_id" in (
                select
                  value
                from
                  json_each(?)
              )
            group by
              "store_discount_id"
          ) as hit on hit.v = item.v
          left join "coupon_codes" as old on hit.matches = 1
          and old.id = hit.id
          and old.brand_id = iif(
            ?,
            (
              select
                "api_keys"."brand_id"
              from
                "api_keys"
              where
                "api_keys"."hash" = ?
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
            )
          )
      )
  ) as "coupon_codes";

with
  merged as materialized (
    select
      n,
      mark,
      coalesce(hit.matches, 0) as matches,
      old.id as old_id,
      substr(old.revision, 1, 35) = substr(mark, 1, 35) as ours,
      (
        item.sets & 1
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
            and other."code" = item."code"
            and other.id <> coalesce(old.id, '')
        )
      ) as taken,
      old.id is not null
      and (
        (
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
        )
      ) as differs,
      coalesce(hit.matches, 0) > 1
      or (
        item.sets & 1
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
            and other."code" = item."code"
            and other.id <> coalesce(old.id, '')
        )
      )
      or (
        coalesce(hit.matches, 0) = 0
        and not creates
      ) as is_refused,
      iif(
        old.id is null,
        0,
        0 + coalesce(iif(item.sets & 1, octet_length (item."code"), octet_length (old."code")), 0) + coalesce(iif(item.sets & 4, octet_length (item."category"), octet_length (old."category")), 0) + coalesce(iif(item.sets & 32, octet_length (item."description"), octet_length (old."description")), 0) + coalesce(iif(item.sets & 128, octet_length (item."store_discount_id"), octet_length (old."store_discount_id")), 0) + coalesce(iif(item.sets & 256, octet_length (item."sync_status"), octet_length (old."sync_status")), 0) + coalesce(iif(item.sets & 512, octet_length (item."last_synced_at"), octet_length (old."last_synced_at")), 0)
      ) as text_bytes,
      old.id as id,
      old.created_at as created_at,
      old.updated_at as updated_at,
      iif(
        old.id is null
        or old.id = mark
        or item.sets & 1,
        item."code",
        old."code"
      ) as "code",
      iif(
        old.id is null
        or old.id = mark
        or item.sets & 2,
        item."active",
        old."active"
      ) as "active",
      iif(
        old.id is null
        or old.id = mark
        or item.sets & 4,
        item."category",
        old."category"
      ) as "category",
      iif(
        old.id is null
        or old.id = mark
        or item.sets & 8,
        item."current_uses",
        old."current_uses"
      ) as "current_uses",
      iif(
        old.id is null
        or old.id = mark
        or item.sets & 16,
        item."max_uses",
        old."max_uses"
      ) as "max_uses",
      iif(
        old.id is null
        or old.id = mark
        or item.sets & 32,
        item."description",
        old."description"
      ) as "description",
      iif(
        old.id is null
        or old.id = mark
        or item.sets & 64,
        item."discount_percent",
        old."discount_percent"
      ) as "discount_percent",
      iif(
        old.id is null
        or old.id = mark
        or item.sets & 128,
        item."store_discount_id",
        old."store_discount_id"
      ) as "store_discount_id",
      iif(
        old.id is null
        or old.id = mark
        or item.sets & 256,
        item."sync_status",
        old."sync_status"
      ) as "sync_status",
      iif(
        old.id is null
        or old.id = mark
        or item.sets & 512,
        iif(item."last_synced_at" = 'now', strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), item."last_synced_at"),
        old."last_synced_at"
      ) as "last_synced_at"
    from
      (
        select
          parsed ->> 0 as "n",
          parsed ->> 1 as "v",
          parsed ->> 2 as "mark",
          parsed ->> 3 as "sets",
          parsed ->> 4 as "creates",
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
          null as found
        from
          (
            select
              jsonb (value) as parsed
            from
              json_each(
                iif(
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
                  ) is not null,
                  ?,
                  '[]'
                )
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
      left join (
        select
          "store_discount_id" as v,
          count(*) as matches,
          min(id) as id
        from
          "coupon_codes"
        where
          brand_id = iif(
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
            ) is not null,
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
              value
            from
              json_each(?)
          )
        group by
          "store_discount_id"
      ) as hit on hit.v = item.v
      left join "coupon_codes" as old on hit.matches = 1
      and old.id = hit.id
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
      and "api_keys"."revoked_at" is null
      and (
        "api_keys"."expires_at" is null
        or "api_keys"."expires_at" > strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
      )
      and "api_keys"."scope" = 'write'
  ),
  coalesce(old_id, mark),
  coalesce(created_at, strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  substr(mark, 1, 35) || char(48 + ?),
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
  merged
where
  not is_refused
  and (
    differs
    or old_id is null
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
  )
  and (
    ?
    or not exists (
      select
        1
      from
        merged
      where
        is_refused
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
  substr(excluded.id, 1, 35) <> substr(excluded.revision, 1, 35);

select
  key.brand_id,
  key.scope,
  instr(?, substr(revision, 1, 35)) + instr(?, "coupon_codes"."id") > 0 as has_written,
  not (
    key.is_live
    and key.scope = 'write'
  ) as ended,
  iif(
    instr(?, substr(revision, 1, 35)),
    "coupon_codes"."updated_at",
    coalesce(
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
          instr(?, id)
      ),
      "coupon_codes"."created_at"
    )
  ) as time
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
  and "coupon_codes"."id" = (
    select
      id
    from
      (
        select
          id,
          revision
        from
          "coupon_codes"
        where
          brand_id = key.brand_id
        order by
          change_number desc
        limit
          1 + 1000 * ?
      ) as "coupon_codes"
    where
      instr(?, substr(revision, 1, 35)) + instr(?, "coupon_codes"."id") > 0
      or not ?
    limit
      1
  )
where
  key.is_live
  or instr(?, substr(revision, 1, 35)) + instr(?, "coupon_codes"."id") > 0;
