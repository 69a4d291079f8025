insert into
  `products` (
    `brand_id`,
    `created_at`,
    `updated_at`,
    `change_number`,
    `id`,
    `revision`,
    `title`,
    `description`,
    `handle`,
    `sku`,
    `price_cents`,
    `currency_code`,
    `discount_percent`,
    `margin_percent`,
    `featured`,
    `image_url`,
    `image_urls`,
    `marketplace_category`,
    `service_inventory_quantity`,
    `service_listing_status`,
    `store_inventory_quantity`,
    `store_product_id`,
    `store_variant_id`,
    `store_status`,
    `source`,
    `sync_status`,
    `last_synced_at`,
    `last_sync_error`,
    `source_updated_at`
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
  item ->> 11,
  item ->> 12,
  item ->> 13,
  item ->> 14,
  item ->> 15,
  item ->> 16,
  item ->> 17,
  item ->> 18,
  item ->> 19,
  item ->> 20,
  item ->> 21,
  iif(item ->> 22 = 'now', mine.time, item ->> 22),
  item ->> 23,
  item ->> 24
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
                  `products` as one
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
                  and collection = 'products'
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
          true
        limit
          1
      ) as one,
      json_each(?2)
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
          and collection = 'products'
          and ?3
        order by
          change_number desc
        limit
          10000
      )
  )
on conflict (brand_id, id) do nothing;

select
  key.*,
  `products`.`id` is not null as has_written,
  `products`.`created_at`,
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
            and collection = 'products'
            and ?1
          order by
            change_number desc
          limit
            10000
        )
    ),
    0
  ) as is_gone,
  null as taken
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
      `api_keys`.`hash` = ?3
  ) as key
  left join `products` on `products`.`brand_id` = key.brand_id
  and `products`.`id` = ?2
where
  key.is_live
  or key.moved_to is not null
  or has_written;
