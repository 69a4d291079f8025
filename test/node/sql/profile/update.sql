update `brands`
set
  `brand_name` = ?1,
  `revision` = ?2,
  `updated_at` = strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
where
  `brands`.`id` = (
    select
      `api_keys`.`brand_id`
    from
      `api_keys`
    where
      `api_keys`.`hash` = ?3
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
    ?4 is null
    or `brands`.`revision` in (
      select
        value
      from
        json_each(?4)
    )
  )
  and not (
    ?5 is null
    or `brands`.`revision` in (
      select
        value
      from
        json_each(?5)
    )
  )
  and (`brand_name` is not ?1 collate binary);

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
