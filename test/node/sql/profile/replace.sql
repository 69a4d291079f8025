update `brands`
set
  `brand_name` = ?1,
  `cart_minimum_cents` = ?2,
  `contact_name` = ?3,
  `customer_ltv_cents` = ?4,
  `description` = ?5,
  `gross_margin_percent` = ?6,
  `logo_url` = ?7,
  `support_email` = ?8,
  `website` = ?9,
  `last_discounts_sync_at` = ?10,
  `last_products_sync_at` = ?11,
  `last_sync_error` = ?12,
  `connection_status` = ?13,
  `store_domain` = ?14,
  `sync_enabled` = ?15,
  `revision` = ?16,
  `updated_at` = strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
where
  `brands`.`id` = (
    select
      `api_keys`.`brand_id`
    from
      `api_keys`
    where
      `api_keys`.`hash` = ?17
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
  and (
    ?18 is null
    or `brands`.`revision` in (
      select
        value
      from
        json_each(?18)
    )
  )
  and not (
    ?19 is null
    or `brands`.`revision` in (
      select
        value
      from
        json_each(?19)
    )
  )
  and (
    `brand_name` is not ?1 collate binary
    or `cart_minimum_cents` is not ?2 collate binary
    or `contact_name` is not ?3 collate binary
    or `customer_ltv_cents` is not ?4 collate binary
    or `description` is not ?5 collate binary
    or `gross_margin_percent` is not ?6 collate binary
    or `logo_url` is not ?7 collate binary
    or `support_email` is not ?8 collate binary
    or `website` is not ?9 collate binary
    or `last_discounts_sync_at` is not ?10 collate binary
    or `last_products_sync_at` is not ?11 collate binary
    or `last_sync_error` is not ?12 collate binary
    or `connection_status` is not ?13 collate binary
    or `store_domain` is not ?14 collate binary
    or `sync_enabled` is not ?15 collate binary
  );

select
  key.*,
  instr(`brands`.`revision`, ?1) as has_written,
  `brands`.`revision`,
  json_object(
    'brand',
    json_object(
      'brandName',
      `brands`.`brand_name`,
      'cartMinimumCents',
      `brands`.`cart_minimum_cents`,
      'contactName',
      `brands`.`contact_name`,
      'customerLtvCents',
      `brands`.`customer_ltv_cents`,
      'description',
      `brands`.`description`,
      'grossMarginPercent',
      iif(
        `brands`.`gross_margin_percent` = cast(`brands`.`gross_margin_percent` as integer),
        cast(`brands`.`gross_margin_percent` as integer),
        `brands`.`gross_margin_percent`
      ),
      'logoUrl',
      `brands`.`logo_url`,
      'supportEmail',
      `brands`.`support_email`,
      'website',
      `brands`.`website`,
      'createdAt',
      `brands`.`created_at`,
      'updatedAt',
      `brands`.`updated_at`
    ),
    'connection',
    json_object(
      'lastDiscountsSyncAt',
      `brands`.`last_discounts_sync_at`,
      'lastProductsSyncAt',
      `brands`.`last_products_sync_at`,
      'lastSyncError',
      `brands`.`last_sync_error`,
      'status',
      `brands`.`connection_status`,
      'storeDomain',
      `brands`.`store_domain`,
      'syncEnabled',
      json(
        case `brands`.`sync_enabled`
          when 1 then 'true'
          when 0 then 'false'
          else 'null'
        end
      )
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
  left join `brands` on `brands`.`id` = key.brand_id
where
  key.is_live
  or key.moved_to is not null
  or has_written;
