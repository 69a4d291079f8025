select
  change_number,
  id,
  deleted_at <= strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-30 days') as is_expired
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
  )
  and collection = 'products'
  and change_number > ?2
order by
  change_number
limit
  ?3 + 0;

select
  key.*,
  0 as has_written,
  `products`.`change_number`,
  `products`.`id`,
  (
    select
      iif(
        json is null,
        4 * (
          coalesce(octet_length (`products`.`id`), 0) + coalesce(octet_length (`products`.`title`), 0) + coalesce(octet_length (`products`.`description`), 0) + coalesce(octet_length (`products`.`handle`), 0) + coalesce(octet_length (`products`.`sku`), 0) + coalesce(octet_length (`products`.`currency_code`), 0) + coalesce(octet_length (`products`.`image_url`), 0) + coalesce(octet_length (`products`.`image_urls`), 0) + coalesce(octet_length (`products`.`marketplace_category`), 0) + coalesce(octet_length (`products`.`service_listing_status`), 0) + coalesce(octet_length (`products`.`store_product_id`), 0) + coalesce(octet_length (`products`.`store_variant_id`), 0) + coalesce(octet_length (`products`.`store_status`), 0) + coalesce(octet_length (`products`.`source`), 0) + coalesce(octet_length (`products`.`sync_status`), 0) + coalesce(octet_length (`products`.`last_synced_at`), 0) + coalesce(octet_length (`products`.`last_sync_error`), 0) + coalesce(octet_length (`products`.`source_updated_at`), 0) + coalesce(octet_length (`products`.`created_at`), 0) + coalesce(octet_length (`products`.`updated_at`), 0)
        ) + 1664,
        iif(
          2 * octet_length (json) > ?1
          and octet_length (json_quote(json)) > ?1,
          octet_length (json_quote(json)),
          json
        )
      )
    from
      (
        select
          iif(
            coalesce(octet_length (`products`.`description`), 0) + coalesce(octet_length (`products`.`image_urls`), 0) > ?1,
            null,
            rtrim(
              json_object(
                'id',
                `products`.`id`,
                'title',
                `products`.`title`,
                'description',
                `products`.`description`,
                'handle',
                `products`.`handle`,
                'sku',
                `products`.`sku`,
                'priceCents',
                `products`.`price_cents`,
                'currencyCode',
                `products`.`currency_code`,
                'discountPercent',
                iif(
                  `products`.`discount_percent` = cast(`products`.`discount_percent` as integer),
                  cast(`products`.`discount_percent` as integer),
                  `products`.`discount_percent`
                ),
                'marginPercent',
                iif(
                  `products`.`margin_percent` = cast(`products`.`margin_percent` as integer),
                  cast(`products`.`margin_percent` as integer),
                  `products`.`margin_percent`
                ),
                'featured',
                json(
                  case `products`.`featured`
                    when 1 then 'true'
                    when 0 then 'false'
                    else 'null'
                  end
                ),
                'imageUrl',
                `products`.`image_url`,
                'imageUrls',
                json(`products`.`image_urls`),
                'marketplaceCategory',
                `products`.`marketplace_category`,
                'serviceInventoryQuantity',
                `products`.`service_inventory_quantity`,
                'serviceListingStatus',
                `products`.`service_listing_status`,
                'storeInventoryQuantity',
                `products`.`store_inventory_quantity`
              ),
              '}'
            ) || (
              ',' || ltrim(
                json_object(
                  'storeProductId',
                  `products`.`store_product_id`,
                  'storeVariantId',
                  `products`.`store_variant_id`,
                  'storeStatus',
                  `products`.`store_status`,
                  'source',
                  `products`.`source`,
                  'syncStatus',
                  `products`.`sync_status`,
                  'lastSyncedAt',
                  `products`.`last_synced_at`,
                  'lastSyncError',
                  `products`.`last_sync_error`,
                  'sourceUpdatedAt',
                  `products`.`source_updated_at`,
                  'createdAt',
                  `products`.`created_at`,
                  'updatedAt',
                  `products`.`updated_at`
                ),
                '{'
              )
            )
          ) as json
        limit
          -1
        offset
          0
      )
  ) as json
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
  left join `products` indexed by `products_by_change` on `products`.`brand_id` = key.brand_id
  and `products`.`change_number` > ?3
where
  key.is_live
  or key.moved_to is not null
  or has_written
order by
  `products`.`change_number`
limit
  ?4 + 0;
