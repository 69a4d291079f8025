select
  "code" as "code",
  "active" as "active",
  "category" as "category",
  "current_uses" as "currentUses",
  "max_uses" as "maxUses",
  iif((0 + coalesce(octet_length ("coupon_codes"."description"), 0)) > ?, null, "description") as "description",
  "discount_percent" as "discountPercent",
  "store_discount_id" as "storeDiscountId",
  "sync_status" as "syncStatus",
  "last_synced_at" as "lastSyncedAt",
  "id" as "id",
  (0 + coalesce(octet_length ("coupon_codes"."description"), 0)) as "bytes"
from
  "coupon_codes"
where
  (
    "coupon_codes"."brand_id" = (
      select
        "api_keys"."brand_id"
      from
        "api_keys"
      where
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
    )
    and "coupon_codes"."id" > ?
  )
order by
  "coupon_codes"."id" asc
limit
  ? + 0;

select
  "keyBrandId",
  "keyScope",
  "keySuspendedAt",
  "keyFrozenAt",
  "keyMovedTo"
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
  ) "key";
