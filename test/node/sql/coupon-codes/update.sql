update `coupon_codes`
set
  `code` = ?1,
  `discount_percent` = ?2,
  `store_discount_id` = ?3,
  `change_number` = 1 + max(
    coalesce(
      (
        select
          change_number
        from
          `coupon_codes` as one
        where
          one.brand_id = `coupon_codes`.`brand_id`
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
          brand_id = `coupon_codes`.`brand_id`
          and collection = 'coupon-codes'
        order by
          change_number desc
        limit
          1
      ),
      0
    )
  ),
  `revision` = ?4,
  `updated_at` = strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
where
  `coupon_codes`.`brand_id` = (
    select
      `api_keys`.`brand_id`
    from
      `api_keys`
    where
      `api_keys`.`hash` = ?5
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
  and `coupon_codes`.`id` = ?6
  and (
    ?7 is null
    or `coupon_codes`.`revision` in (
      select
        value
      from
        json_each(?7)
    )
  )
  and not (
    ?8 is null
    or `coupon_codes`.`revision` in (
      select
        value
      from
        json_each(?8)
    )
  )
  and (
    `code` is not ?1 collate binary
    or `discount_percent` is not ?2 collate binary
    or `store_discount_id` is not ?3 collate binary
  )
  and not exists (
    select
      1
    from
      `coupon_codes` as other
    where
      other.brand_id = `coupon_codes`.`brand_id`
      and other.`code` = ?1
      and other.id <> ?6
  );

select
  key.*,
  instr(`coupon_codes`.`revision`, ?1) as has_written,
  `coupon_codes`.`revision`,
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
  ) as json,
  exists (
    select
      1
    from
      `coupon_codes` as other
    where
      other.brand_id = key.brand_id
      and other.`code` = ?2
      and other.id <> ?3
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
  and `coupon_codes`.`id` = ?3
where
  key.is_live
  or key.moved_to is not null
  or has_written;
