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
  `coupon_codes`
where
  `coupon_codes`.`brand_id` = (
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
  and `coupon_codes`.`id` > ?2
order by
  `coupon_codes`.`id`
limit
  ?3 + 0;

select
  key.*,
  0 as has_written,
  null
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
      `api_keys`.`hash` = ?1
  ) as key
where
  key.is_live
  or key.moved_to is not null
  or has_written;
