update "coupon_codes"
set
  "code" = ?,
  "discount_percent" = ?,
  "store_discount_id" = ?,
  "change_number" = 1 + max(
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
  ),
  "revision" = ? || char(48 + ?),
  "updated_at" = strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
where
  "coupon_codes"."brand_id" = (
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
  and "coupon_codes"."id" = ?
  and (
    ? is null
    or "coupon_codes"."revision" in (
      select
        value
      from
        json_each(?)
    )
  )
  and not (
    ? is null
    or "coupon_codes"."revision" in (
      select
        value
      from
        json_each(?)
    )
  )
  and (
    "code" is not ? collate binary
    or "discount_percent" is not ? collate binary
    or "store_discount_id" is not ? collate binary
  )
  and not exists (
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
      and other."code" = ?
      and other.id <> ?
  );

select
  key.brand_id,
  key.scope,
  instr("coupon_codes"."revision", ?) as has_written,
  "coupon_codes"."revision",
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
  ) as json,
  exists (
    select
      1
    from
      "coupon_codes" as other
    where
      other.brand_id = key.brand_id
      and other."code" = ?
      and other.id <> ?
  ) as taken
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
  and "coupon_codes"."id" = ?
where
  key.is_live
  or instr("coupon_codes"."revision", ?);
