insert into
  `idempotency_records` (brand_id, key, fingerprint, request, created_at, results)
select
  mine.brand,
  ?1,
  ?2,
  ?3,
  strftime('%Y-%m-%dT%H:%M:%fZ', 'now'),
  push.results
from
  (
    select
      (
        select
          `api_keys`.`brand_id`
        from
          `api_keys`
        where
          `api_keys`.`hash` = ?4
          and `api_keys`.`revoked_at` is null
          and (
            `api_keys`.`expires_at` is null
            or `api_keys`.`expires_at` > strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
          )
          and `api_keys`.`suspended_at` is null
          and `api_keys`.`moved_to` is null
          and `api_keys`.`scope` = 'write'
          and `api_keys`.`frozen_at` is null
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
              coalesce(hit.matches, 0) as matches,
              case
                when coalesce(hit.matches, 0) > 1 then 5
                when kind = 2 then case
                  when old.id is null then 0
                  when 0 then 1
                  else 4
                end
                when old.id is null
                and kind = 0 then 6
                when 0 then 1
                when (
                  item.sets & 1
                  and exists (
                    select
                      1
                    from
                      `coupon_codes` as other
                    where
                      other.brand_id = (
                        select
                          `api_keys`.`brand_id`
                        from
                          `api_keys`
                        where
                          `api_keys`.`hash` = ?4
                          and `api_keys`.`revoked_at` is null
                          and (
                            `api_keys`.`expires_at` is null
                            or `api_keys`.`expires_at` > strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
                          )
                          and `api_keys`.`suspended_at` is null
                          and `api_keys`.`moved_to` is null
                          and `api_keys`.`scope` = 'write'
                          and `api_keys`.`frozen_at` is null
                      )
                      and other.`code` = item.`code`
                      and other.id <> coalesce(old.id, '')
                  )
                ) then 7
                when old.id is null then 2
                when (
                  item.sets & 1
                  and item.`code` is not old.`code` collate binary
                )
                or (
                  item.sets & 2
                  and item.`active` is not old.`active` collate binary
                )
                or (
                  item.sets & 4
                  and item.`category` is not old.`category` collate binary
                )
                or (
                  item.sets & 8
                  and item.`current_uses` is not old.`current_uses` collate binary
                )
                or (
                  item.sets & 16
                  and item.`max_uses` is not old.`max_uses` collate binary
                )
                or (
                  item.sets & 32
                  and item.`description` is not old.`description` collate binary
                )
                or (
                  item.sets & 64
                  and item.`discount_percent` is not old.`discount_percent` collate binary
                )
                or (
                  item.sets & 128
                  and item.`store_discount_id` is not old.`store_discount_id` collate binary
                )
                or (
                  item.sets & 256
                  and item.`sync_status` is not old.`sync_status` collate binary
                )
                or (
                  item.sets & 512
                  and item.`last_synced_at` is not old.`last_synced_at` collate binary
                ) then 3
                else 0
              end as outcome
            from
              (
                select
                  parsed ->> 0 as `n`,
                  parsed ->> 1 as `v`,
                  parsed ->> 2 as `candidate`,
                  parsed ->> 3 as `sets`,
                  parsed ->> 4 as `kind`,
                  parsed ->> 5 as `code`,
                  parsed ->> 6 as `active`,
                  parsed ->> 7 as `category`,
                  parsed ->> 8 as `current_uses`,
                  parsed ->> 9 as `max_uses`,
                  parsed ->> 10 as `description`,
                  parsed ->> 11 as `discount_percent`,
                  parsed ->> 12 as `store_discount_id`,
                  parsed ->> 13 as `sync_status`,
                  parsed ->> 14 as `last_synced_at`
                from
                  (
                    select
                      jsonb (value) as parsed
                    from
                      json_each(
                        iif(
                          (
                            select
                              results
                            from
                              `idempotency_records`
                            where
                              brand_id = (
                                select
                                  `api_keys`.`brand_id`
                                from
                                  `api_keys`
                                where
                                  `api_keys`.`hash` = ?4
                                  and `api_keys`.`moved_to` is null
                              )
                              and key = ?1
                              and (
                                request = ?3
                                or (
                                  ?1 <> ''
                                  and created_at > strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-24 hours')
                                )
                              )
                          ) is null,
                          ?5,
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
                  `store_discount_id` as v,
                  count(*) as matches,
                  min(id) as id
                from
                  `coupon_codes`
                where
                  brand_id = iif(
                    (
                      select
                        results
                      from
                        `idempotency_records`
                      where
                        brand_id = (
                          select
                            `api_keys`.`brand_id`
                          from
                            `api_keys`
                          where
                            `api_keys`.`hash` = ?4
                            and `api_keys`.`moved_to` is null
                        )
                        and key = ?1
                        and (
                          request = ?3
                          or (
                            ?1 <> ''
                            and created_at > strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-24 hours')
                          )
                        )
                    ) is null,
                    (
                      select
                        `api_keys`.`brand_id`
                      from
                        `api_keys`
                      where
                        `api_keys`.`hash` = ?4
                        and `api_keys`.`revoked_at` is null
                        and (
                          `api_keys`.`expires_at` is null
                          or `api_keys`.`expires_at` > strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
                        )
                        and `api_keys`.`suspended_at` is null
                        and `api_keys`.`moved_to` is null
                        and `api_keys`.`scope` = 'write'
                        and `api_keys`.`frozen_at` is null
                    ),
                    null
                  )
                  and `store_discount_id` in (
                    select
                      value
                    from
                      json_each(?6)
                  )
                group by
                  `store_discount_id`
              ) as hit on hit.v = item.v
              left join `coupon_codes` as old on old.brand_id = (
                select
                  `api_keys`.`brand_id`
                from
                  `api_keys`
                where
                  `api_keys`.`hash` = ?4
                  and `api_keys`.`revoked_at` is null
                  and (
                    `api_keys`.`expires_at` is null
                    or `api_keys`.`expires_at` > strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
                  )
                  and `api_keys`.`suspended_at` is null
                  and `api_keys`.`moved_to` is null
                  and `api_keys`.`scope` = 'write'
                  and `api_keys`.`frozen_at` is null
              )
              and hit.matches = 1
              and old.id = hit.id
            limit
              -1
            offset
              0
          )
      )
  ) as push
where
  mine.brand is not null
  and ?7
  and (
    ?8
    or not push.is_refused
  )
  and (
    ?1 <> ''
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
  `coupon_codes` (
    brand_id,
    id,
    created_at,
    revision,
    updated_at,
    change_number,
    `code`,
    `active`,
    `category`,
    `current_uses`,
    `max_uses`,
    `description`,
    `discount_percent`,
    `store_discount_id`,
    `sync_status`,
    `last_synced_at`
  )
select
  (
    select
      `api_keys`.`brand_id`
    from
      `api_keys`
    where
      `api_keys`.`hash` = ?1
      and `api_keys`.`moved_to` is null
  ),
  planned_id,
  coalesce(old.created_at, strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  ?2,
  strftime('%Y-%m-%dT%H:%M:%fZ', 'now'),
  max(
    coalesce(
      (
        select
          change_number
        from
          `coupon_codes` as one
        where
          one.brand_id = (
            select
              `api_keys`.`brand_id`
            from
              `api_keys`
            where
              `api_keys`.`hash` = ?1
              and `api_keys`.`moved_to` is null
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
          `tombstones`
        where
          brand_id = (
            select
              `api_keys`.`brand_id`
            from
              `api_keys`
            where
              `api_keys`.`hash` = ?1
              and `api_keys`.`moved_to` is null
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
  iif(
    outcome = 2
    or (
      outcome = 3
      and item.`sets` & 1
    ),
    item.`code`,
    old.`code`
  ) as `code`,
  iif(
    outcome = 2
    or (
      outcome = 3
      and item.`sets` & 2
    ),
    item.`active`,
    old.`active`
  ) as `active`,
  iif(
    outcome = 2
    or (
      outcome = 3
      and item.`sets` & 4
    ),
    item.`category`,
    old.`category`
  ) as `category`,
  iif(
    outcome = 2
    or (
      outcome = 3
      and item.`sets` & 8
    ),
    item.`current_uses`,
    old.`current_uses`
  ) as `current_uses`,
  iif(
    outcome = 2
    or (
      outcome = 3
      and item.`sets` & 16
    ),
    item.`max_uses`,
    old.`max_uses`
  ) as `max_uses`,
  iif(
    outcome = 2
    or (
      outcome = 3
      and item.`sets` & 32
    ),
    item.`description`,
    old.`description`
  ) as `description`,
  iif(
    outcome = 2
    or (
      outcome = 3
      and item.`sets` & 64
    ),
    item.`discount_percent`,
    old.`discount_percent`
  ) as `discount_percent`,
  iif(
    outcome = 2
    or (
      outcome = 3
      and item.`sets` & 128
    ),
    item.`store_discount_id`,
    old.`store_discount_id`
  ) as `store_discount_id`,
  iif(
    outcome = 2
    or (
      outcome = 3
      and item.`sets` & 256
    ),
    item.`sync_status`,
    old.`sync_status`
  ) as `sync_status`,
  iif(
    outcome = 2
    or (
      outcome = 3
      and item.`sets` & 512
    ),
    iif(item.`last_synced_at` = 'now', strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), item.`last_synced_at`),
    old.`last_synced_at`
  ) as `last_synced_at`
from
  (
    select
      parsed ->> 0 as `n`,
      parsed ->> 1 as `v`,
      parsed ->> 2 as `candidate`,
      parsed ->> 3 as `sets`,
      parsed ->> 4 as `kind`,
      parsed ->> 5 as `code`,
      parsed ->> 6 as `active`,
      parsed ->> 7 as `category`,
      parsed ->> 8 as `current_uses`,
      parsed ->> 9 as `max_uses`,
      parsed ->> 10 as `description`,
      parsed ->> 11 as `discount_percent`,
      parsed ->> 12 as `store_discount_id`,
      parsed ->> 13 as `sync_status`,
      parsed ->> 14 as `last_synced_at`,
      (
        select
          jsonb (results)
        from
          `idempotency_records`
        where
          brand_id = (
            select
              `api_keys`.`brand_id`
            from
              `api_keys`
            where
              `api_keys`.`hash` = ?1
              and `api_keys`.`moved_to` is null
          )
          and key = ?3
          and request = ?2
      ) -> (parsed ->> 0) ->> 1 as outcome,
      (
        select
          jsonb (results)
        from
          `idempotency_records`
        where
          brand_id = (
            select
              `api_keys`.`brand_id`
            from
              `api_keys`
            where
              `api_keys`.`hash` = ?1
              and `api_keys`.`moved_to` is null
          )
          and key = ?3
          and request = ?2
      ) -> (parsed ->> 0) ->> 2 as planned_id
    from
      (
        select
          jsonb (value) as parsed
        from
          json_each(
            iif(
              exists (
                select
                  1
                from
                  `idempotency_records`
                where
                  brand_id = (
                    select
                      `api_keys`.`brand_id`
                    from
                      `api_keys`
                    where
                      `api_keys`.`hash` = ?1
                      and `api_keys`.`moved_to` is null
                  )
                  and key = ?3
                  and request = ?2
              ),
              ?4,
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
  left join `coupon_codes` as old on old.brand_id = (
    select
      `api_keys`.`brand_id`
    from
      `api_keys`
    where
      `api_keys`.`hash` = ?1
      and `api_keys`.`moved_to` is null
  )
  and old.id = planned_id
where
  outcome between 2 and 3
on conflict (brand_id, id) do update
set
  `revision` = excluded.`revision`,
  `updated_at` = excluded.`updated_at`,
  `change_number` = excluded.`change_number`,
  `code` = excluded.`code`,
  `discount_percent` = excluded.`discount_percent`;

select
  n,
  outcome,
  matches,
  old_id,
  json_object(
    'id',
    `coupon_codes`.`id`,
    'code',
    `coupon_codes`.`code`,
    'active',
    json(
      case `coupon_codes`.`active`
        when 1 then 'true'
        when 0 then 'false'
        else 'null'
      end
    ),
    'category',
    `coupon_codes`.`category`,
    'currentUses',
    `coupon_codes`.`current_uses`,
    'maxUses',
    `coupon_codes`.`max_uses`,
    'description',
    `coupon_codes`.`description`,
    'discountPercent',
    iif(
      `coupon_codes`.`discount_percent` = cast(`coupon_codes`.`discount_percent` as integer),
      cast(`coupon_codes`.`discount_percent` as integer),
      `coupon_codes`.`discount_percent`
    ),
    'storeDiscountId',
    `coupon_codes`.`store_discount_id`,
    'syncStatus',
    `coupon_codes`.`sync_status`,
    'lastSyncedAt',
    `coupon_codes`.`last_synced_at`
  ) as json
from
  (
    select
      n,
      outcome,
      matches,
      old_id,
      iif(
        old_id is null,
        0,
        coalesce(
          iif(
            (
              outcome = 3
              and `item.sets` & 1
            ),
            octet_length (`item.code`),
            octet_length (`old.code`)
          ),
          0
        ) + coalesce(
          iif(
            (
              outcome = 3
              and `item.sets` & 4
            ),
            octet_length (`item.category`),
            octet_length (`old.category`)
          ),
          0
        ) + coalesce(
          iif(
            (
              outcome = 3
              and `item.sets` & 32
            ),
            octet_length (`item.description`),
            octet_length (`old.description`)
          ),
          0
        ) + coalesce(
          iif(
            (
              outcome = 3
              and `item.sets` & 128
            ),
            octet_length (`item.store_discount_id`),
            octet_length (`old.store_discount_id`)
          ),
          0
        ) + coalesce(
          iif(
            (
              outcome = 3
              and `item.sets` & 256
            ),
            octet_length (`item.sync_status`),
            octet_length (`old.sync_status`)
          ),
          0
        ) + coalesce(
          iif(
            (
              outcome = 3
              and `item.sets` & 512
            ),
            octet_length (`item.last_synced_at`),
            octet_length (`old.last_synced_at`)
          ),
          0
        )
      ) as text_bytes,
      old_id as id,
      `old.created_at` as created_at,
      iif(outcome = 3, null, `old.updated_at`) as updated_at,
      iif(
        outcome = 2
        or (
          outcome = 3
          and `item.sets` & 1
        ),
        `item.code`,
        `old.code`
      ) as `code`,
      iif(
        outcome = 2
        or (
          outcome = 3
          and `item.sets` & 2
        ),
        `item.active`,
        `old.active`
      ) as `active`,
      iif(
        outcome = 2
        or (
          outcome = 3
          and `item.sets` & 4
        ),
        `item.category`,
        `old.category`
      ) as `category`,
      iif(
        outcome = 2
        or (
          outcome = 3
          and `item.sets` & 8
        ),
        `item.current_uses`,
        `old.current_uses`
      ) as `current_uses`,
      iif(
        outcome = 2
        or (
          outcome = 3
          and `item.sets` & 16
        ),
        `item.max_uses`,
        `old.max_uses`
      ) as `max_uses`,
      iif(
        outcome = 2
        or (
          outcome = 3
          and `item.sets` & 32
        ),
        `item.description`,
        `old.description`
      ) as `description`,
      iif(
        outcome = 2
        or (
          outcome = 3
          and `item.sets` & 64
        ),
        `item.discount_percent`,
        `old.discount_percent`
      ) as `discount_percent`,
      iif(
        outcome = 2
        or (
          outcome = 3
          and `item.sets` & 128
        ),
        `item.store_discount_id`,
        `old.store_discount_id`
      ) as `store_discount_id`,
      iif(
        outcome = 2
        or (
          outcome = 3
          and `item.sets` & 256
        ),
        `item.sync_status`,
        `old.sync_status`
      ) as `sync_status`,
      iif(
        outcome = 2
        or (
          outcome = 3
          and `item.sets` & 512
        ),
        iif(`item.last_synced_at` = 'now', null, `item.last_synced_at`),
        `old.last_synced_at`
      ) as `last_synced_at`
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
              coalesce(hit.matches, 0) as matches,
              item.`sets` as `item.sets`,
              item.`code` as `item.code`,
              item.`active` as `item.active`,
              item.`category` as `item.category`,
              item.`current_uses` as `item.current_uses`,
              item.`max_uses` as `item.max_uses`,
              item.`description` as `item.description`,
              item.`discount_percent` as `item.discount_percent`,
              item.`store_discount_id` as `item.store_discount_id`,
              item.`sync_status` as `item.sync_status`,
              item.`last_synced_at` as `item.last_synced_at`,
              old.`created_at` as `old.created_at`,
              old.`updated_at` as `old.updated_at`,
              old.`code` as `old.code`,
              old.`active` as `old.active`,
              old.`category` as `old.category`,
              old.`current_uses` as `old.current_uses`,
              old.`max_uses` as `old.max_uses`,
              old.`description` as `old.description`,
              old.`discount_percent` as `old.discount_percent`,
              old.`store_discount_id` as `old.store_discount_id`,
              old.`sync_status` as `old.sync_status`,
              old.`last_synced_at` as `old.last_synced_at`,
              case
                when coalesce(hit.matches, 0) > 1 then 5
                when kind = 2 then case
                  when old.id is null then 0
                  when 0 then 1
                  else 4
                end
                when old.id is null
                and kind = 0 then 6
                when 0 then 1
                when (
                  item.sets & 1
                  and exists (
                    select
                      1
                    from
                      `coupon_codes` as other
                    where
                      other.brand_id = (
                        select
                          `api_keys`.`brand_id`
                        from
                          `api_keys`
                        where
                          `api_keys`.`hash` = ?1
                          and `api_keys`.`revoked_at` is null
                          and (
                            `api_keys`.`expires_at` is null
                            or `api_keys`.`expires_at` > strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
                          )
                          and `api_keys`.`suspended_at` is null
                          and `api_keys`.`moved_to` is null
                          and `api_keys`.`scope` = 'write'
                          and `api_keys`.`frozen_at` is null
                      )
                      and other.`code` = item.`code`
                      and other.id <> coalesce(old.id, '')
                  )
                ) then 7
                when old.id is null then 2
                when (
                  item.sets & 1
                  and item.`code` is not old.`code` collate binary
                )
                or (
                  item.sets & 2
                  and item.`active` is not old.`active` collate binary
                )
                or (
                  item.sets & 4
                  and item.`category` is not old.`category` collate binary
                )
                or (
                  item.sets & 8
                  and item.`current_uses` is not old.`current_uses` collate binary
                )
                or (
                  item.sets & 16
                  and item.`max_uses` is not old.`max_uses` collate binary
                )
                or (
                  item.sets & 32
                  and item.`description` is not old.`description` collate binary
                )
                or (
                  item.sets & 64
                  and item.`discount_percent` is not old.`discount_percent` collate binary
                )
                or (
                  item.sets & 128
                  and item.`store_discount_id` is not old.`store_discount_id` collate binary
                )
                or (
                  item.sets & 256
                  and item.`sync_status` is not old.`sync_status` collate binary
                )
                or (
                  item.sets & 512
                  and item.`last_synced_at` is not old.`last_synced_at` collate binary
                ) then 3
                else 0
              end as outcome
            from
              (
                select
                  parsed ->> 0 as `n`,
                  parsed ->> 1 as `v`,
                  parsed ->> 2 as `candidate`,
                  parsed ->> 3 as `sets`,
                  parsed ->> 4 as `kind`,
                  parsed ->> 5 as `code`,
                  parsed ->> 6 as `active`,
                  parsed ->> 7 as `category`,
                  parsed ->> 8 as `current_uses`,
                  parsed ->> 9 as `max_uses`,
                  parsed ->> 10 as `description`,
                  parsed ->> 11 as `discount_percent`,
                  parsed ->> 12 as `store_discount_id`,
                  parsed ->> 13 as `sync_status`,
                  parsed ->> 14 as `last_synced_at`
                from
                  (
                    select
                      jsonb (value) as parsed
                    from
                      json_each(
                        iif(
                          (
                            select
                              results
                            from
                              `idempotency_records`
                            where
                              brand_id = (
                                select
                                  `api_keys`.`brand_id`
                                from
                                  `api_keys`
                                where
                                  `api_keys`.`hash` = ?1
                                  and `api_keys`.`moved_to` is null
                              )
                              and key = ?2
                              and (
                                request = ?3
                                or (
                                  ?2 <> ''
                                  and created_at > strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-24 hours')
                                )
                              )
                          ) is null,
                          ?4,
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
                  `store_discount_id` as v,
                  count(*) as matches,
                  min(id) as id
                from
                  `coupon_codes`
                where
                  brand_id = iif(
                    (
                      select
                        results
                      from
                        `idempotency_records`
                      where
                        brand_id = (
                          select
                            `api_keys`.`brand_id`
                          from
                            `api_keys`
                          where
                            `api_keys`.`hash` = ?1
                            and `api_keys`.`moved_to` is null
                        )
                        and key = ?2
                        and (
                          request = ?3
                          or (
                            ?2 <> ''
                            and created_at > strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-24 hours')
                          )
                        )
                    ) is null,
                    (
                      select
                        `api_keys`.`brand_id`
                      from
                        `api_keys`
                      where
                        `api_keys`.`hash` = ?1
                        and `api_keys`.`revoked_at` is null
                        and (
                          `api_keys`.`expires_at` is null
                          or `api_keys`.`expires_at` > strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
                        )
                        and `api_keys`.`suspended_at` is null
                        and `api_keys`.`moved_to` is null
                        and `api_keys`.`scope` = 'write'
                        and `api_keys`.`frozen_at` is null
                    ),
                    null
                  )
                  and `store_discount_id` in (
                    select
                      value
                    from
                      json_each(?5)
                  )
                group by
                  `store_discount_id`
              ) as hit on hit.v = item.v
              left join `coupon_codes` as old on old.brand_id = (
                select
                  `api_keys`.`brand_id`
                from
                  `api_keys`
                where
                  `api_keys`.`hash` = ?1
                  and `api_keys`.`revoked_at` is null
                  and (
                    `api_keys`.`expires_at` is null
                    or `api_keys`.`expires_at` > strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
                  )
                  and `api_keys`.`suspended_at` is null
                  and `api_keys`.`moved_to` is null
                  and `api_keys`.`scope` = 'write'
                  and `api_keys`.`frozen_at` is null
              )
              and hit.matches = 1
              and old.id = hit.id
            limit
              -1
            offset
              0
          )
      )
  ) as `coupon_codes`;

select
  `coupon_codes`.`id`,
  json_object(
    'id',
    `coupon_codes`.`id`,
    'code',
    `coupon_codes`.`code`,
    'active',
    json(
      case `coupon_codes`.`active`
        when 1 then 'true'
        when 0 then 'false'
        else 'null'
      end
    ),
    'category',
    `coupon_codes`.`category`,
    'currentUses',
    `coupon_codes`.`current_uses`,
    'maxUses',
    `coupon_codes`.`max_uses`,
    'description',
    `coupon_codes`.`description`,
    'discountPercent',
    iif(
      `coupon_codes`.`discount_percent` = cast(`coupon_codes`.`discount_percent` as integer),
      cast(`coupon_codes`.`discount_percent` as integer),
      `coupon_codes`.`discount_percent`
    ),
    'storeDiscountId',
    `coupon_codes`.`store_discount_id`,
    'syncStatus',
    `coupon_codes`.`sync_status`,
    'lastSyncedAt',
    `coupon_codes`.`last_synced_at`
  ) as json
from
  json_each(
    (
      select
        results
      from
        `idempotency_records`
      where
        brand_id = (
          select
            `api_keys`.`brand_id`
          from
            `api_keys`
          where
            `api_keys`.`hash` = ?1
            and `api_keys`.`moved_to` is null
        )
        and key = ?2
        and (
          request = ?3
          or (
            ?2 <> ''
            and created_at > strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-24 hours')
          )
        )
    )
  ) as item
  cross join `coupon_codes` on `coupon_codes`.`brand_id` = (
    select
      `api_keys`.`brand_id`
    from
      `api_keys`
    where
      `api_keys`.`hash` = ?1
      and `api_keys`.`moved_to` is null
  )
  and `coupon_codes`.`id` = iif(item.type = 'array', item.value ->> 2, null);

select
  key.*,
  instr(record.request, ?1) as has_written,
  record.fingerprint,
  record.results
from
  (
    select
      iif(`api_keys`.`moved_to` is null, `api_keys`.`brand_id`, null) as brand_id,
      `api_keys`.`scope`,
      `api_keys`.`suspended_at`,
      `api_keys`.`frozen_at`,
      `api_keys`.`moved_to`,
      `api_keys`.`revoked_at` is null
      and (
        `api_keys`.`expires_at` is null
        or `api_keys`.`expires_at` > strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
      ) as is_live
    from
      `api_keys`
    where
      `api_keys`.`hash` = ?2
  ) as key
  left join `idempotency_records` as record on record.brand_id = key.brand_id
  and record.key = ?3
  and record.created_at > strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-24 hours')
where
  key.is_live
  or key.moved_to is not null
  or has_written;
