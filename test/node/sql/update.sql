update "coupon_codes"
set
  "revision" = ?,
  "updated_at" = strftime('%Y-%m-%dT%H:%M:%fZ', 'now'),
  "change_number" = 1 + max(
    coalesce(
      (
        select
          change_number
        from
          "coupon_codes" as one
        where
          one.brand_id = "coupon_codes"."brand_id"
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
          "tombstones" as gone
        where
          gone.brand_id = "coupon_codes"."brand_id"
          and gone.collection = 'coupon-codes'
        order by
          change_number desc
        limit
          1
      ),
      0
    )
  ),
  "code" = ?,
  "discount_percent" = ?
where
  (
    (
      "coupon_codes"."brand_id" = (
        select
          "api_keys"."brand_id"
        from
          "api_keys"
        where
          (
            (
              "api_keys"."hash" = ?
              and (
                "api_keys"."revoked_at" is null
                and (
                  "api_keys"."expires_at" is null
                  or "api_keys"."expires_at" > ?
                )
              )
              and "api_keys"."suspended_at" is null
              and "api_keys"."moved_to" is null
            )
            and "api_keys"."scope" = 'write'
            and "api_keys"."frozen_at" is null
          )
      )
      and "coupon_codes"."id" = ?
    )
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
      "coupon_codes"."code" is not ? collate binary
      or "coupon_codes"."discount_percent" is not ? collate binary
    )
    and not exists (
      select
        1
      from
        "coupon_codes" as other
      where
        other.brand_id = "coupon_codes"."brand_id"
        and other."code" = ?
        and other.id <> ?
    )
  );

select
  "coupon_codes"."id" as "id",
  "coupon_codes"."code" as "code",
  "coupon_codes"."active" as "active",
  "coupon_codes"."category" as "category",
  "coupon_codes"."current_uses" as "currentUses",
  "coupon_codes"."max_uses" as "maxUses",
  "coupon_codes"."description" as "description",
  "coupon_codes"."discount_percent" as "discountPercent",
  "coupon_codes"."store_discount_id" as "storeDiscountId",
  "coupon_codes"."sync_status" as "syncStatus",
  "coupon_codes"."last_synced_at" as "lastSyncedAt",
  "keyBrandId",
  "keyScope",
  "keySuspendedAt",
  "keyFrozenAt",
  "keyMovedTo",
  exists (
    select
      1
    from
      "coupon_codes" as other
    where
      other.brand_id = "keyBrandId"
      and other."code" = ?
      and other.id <> ?
  ) as "isTaken",
  "coupon_codes"."revision" = ? as "isWritten",
  "coupon_codes"."revision" as "revision"
from
  (
    select
      iif("moved_to" is null, "brand_id", null) as "keyBrandId",
      "scope" as "keyScope",
      "suspended_at" as "keySuspendedAt",
      "frozen_at" as "keyFrozenAt",
      "moved_to" as "keyMovedTo"
    from
      "api_keys"
    where
      (
        "api_keys"."hash" = ?
        and (
          (
            "api_keys"."revoked_at" is null
            and (
              "api_keys"."expires_at" is null
              or "api_keys"."expires_at" > ?
            )
          )
          or "api_keys"."moved_to" is not null
        )
      )
  ) "key"
  left join "coupon_codes" on (
    "coupon_codes"."brand_id" = "keyBrandId"
    and "coupon_codes"."id" = ?
  );
