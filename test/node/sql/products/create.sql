insert into
  "products" (
    "brand_id",
    "created_at",
    "updated_at",
    "change_number",
    "id",
    "revision",
    "title",
    "description",
    "handle",
    "sku",
    "price_cents",
    "currency_code",
    "discount_percent",
    "margin_percent",
    "featured",
    "image_url",
    "image_urls",
    "marketplace_category",
    "service_inventory_quantity",
    "service_listing_status",
    "store_inventory_quantity",
    "store_product_id",
    "store_variant_id",
    "store_status",
    "source",
    "sync_status",
    "last_synced_at",
    "last_sync_error",
    "source_updated_at"
  )
select
  mine.brand_id,
  mine.time,
  mine.time,
  mine.newest + item.value ->> 1,
  item.value ->> 0,
  item.value ->> 0,
  item.value ->> 2,
  item.value ->> 3,
  item.value ->> 4,
  item.value ->> 5,
  item.value ->> 6,
  item.value ->> 7,
  item.value ->> 8,
  item.value ->> 9,
  item.value ->> 10,
  item.value ->> 11,
  item.value ->> 12,
  item.value ->> 13,
  item.value ->> 14,
  item.value ->> 15,
  item.value ->> 16,
  item.value ->> 17,
  item.value ->> 18,
  item.value ->> 19,
  item.value ->> 20,
  item.value ->> 21,
  iif(item.value ->> 22 = 'now', mine.time, item.value ->> 22),
  item.value ->> 23,
  item.value ->> 24
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
              "products" as one
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
              "tombstones"
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
          "api_keys"
        where
          "api_keys"."hash" = ?1
          and "api_keys"."revoked_at" is null
          and (
            "api_keys"."expires_at" is null
            or "api_keys"."expires_at" > strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
          )
          and "api_keys"."suspended_at" is null
          and "api_keys"."moved_to" is null
          and "api_keys"."scope" = 'write'
          and "api_keys"."frozen_at" is null
      ) as source
    limit
      1
  ) as mine,
  json_each(?2) as item
where
  true
  and item.value ->> 0 not in (
    select
      id
    from
      (
        select
          id,
          request
        from
          "tombstones"
        where
          brand_id = (
            select
              "api_keys"."brand_id"
            from
              "api_keys"
            where
              "api_keys"."hash" = ?1
              and "api_keys"."revoked_at" is null
              and (
                "api_keys"."expires_at" is null
                or "api_keys"."expires_at" > strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
              )
              and "api_keys"."suspended_at" is null
              and "api_keys"."moved_to" is null
              and "api_keys"."scope" = 'write'
              and "api_keys"."frozen_at" is null
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
  "products"."id" is not null as has_written,
  "products"."created_at",
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
            "tombstones"
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
      iif("api_keys"."moved_to" is null, "api_keys"."brand_id", null) as brand_id,
      "api_keys"."scope",
      "api_keys"."suspended_at",
      "api_keys"."frozen_at",
      "api_keys"."moved_to",
      "api_keys"."revoked_at" is null
      and (
        "api_keys"."expires_at" is null
        or "api_keys"."expires_at" > strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
      ) as is_live
    from
      "api_keys"
    where
      "api_keys"."hash" = ?3
  ) as key
  left join "products" on "products"."brand_id" = key.brand_id
  and "products"."id" = ?2
where
  key.is_live
  or key.moved_to is not null
  or has_written;
