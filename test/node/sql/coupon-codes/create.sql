insert into
  `coupon_codes` (
    `brand_id`,
    `created_at`,
    `updated_at`,
    `change_number`,
    `id`,
    `revision`,
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
                  `coupon_codes` as one
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
                  `tombstones`
                where
                  brand_id = source.brand_id
                  and collection = 'coupon-codes'
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
          ) as source
        where
          not exists (
            select
              item.key
            from
              json_each(?2) as item
            where
              exists (
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
                  and other.`code` = item.value ->> 0
                  and other.id <> item.value ->> 1
              )
          )
        limit
          1
      ) as one,
      json_each(?3)
    limit
      -1
    offset
      0
  ) as mine
where
  item ->> 0 not in (
    select
      id
    from
      (
        select
          id,
          request
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
          and collection = 'coupon-codes'
          and ?4
        order by
          change_number desc
        limit
          10000
      )
  )
on conflict (brand_id, id) do nothing;

select
  key.*,
  `coupon_codes`.`id` is not null as has_written,
  `coupon_codes`.`created_at`,
  iif(
    ?1,
    ?2 in (
      select
        id
      from
        (
          select
            id,
            request
          from
            `tombstones`
          where
            brand_id = key.brand_id
            and collection = 'coupon-codes'
            and ?1
          order by
            change_number desc
          limit
            10000
        )
    ),
    0
  ) as is_gone,
  iif(
    `coupon_codes`.`id` is null,
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
                `coupon_codes` as other
              where
                other.brand_id = key.brand_id
                and other.`code` = item.value ->> 0
                and other.id <> item.value ->> 1
            )
        )
    ),
    null
  ) as taken
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
      `api_keys`.`hash` = ?4
  ) as key
  left join `coupon_codes` on `coupon_codes`.`brand_id` = key.brand_id
  and `coupon_codes`.`id` = ?2
where
  key.is_live
  or key.moved_to is not null
  or has_written;
