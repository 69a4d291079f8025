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
  mine.brand,
  mine.time,
  mine.time,
  mine.newest + item.value ->> 'place',
  item.value ->> 'id',
  item.value ->> 'id',
  item.value ->> 'title',
  item.value ->> 'description',
  item.value ->> 'handle',
  item.value ->> 'sku',
  item.value ->> 'price_cents',
  item.value ->> 'currency_code',
  item.value ->> 'discount_percent',
  item.value ->> 'margin_percent',
  item.value ->> 'featured',
  item.value ->> 'image_url',
  item.value ->> 'image_urls',
  item.value ->> 'marketplace_category',
  item.value ->> 'service_inventory_quantity',
  item.value ->> 'service_listing_status',
  item.value ->> 'store_inventory_quantity',
  item.value ->> 'store_product_id',
  item.value ->> 'store_variant_id',
  item.value ->> 'store_status',
  item.value ->> 'source',
  item.value ->> 'sync_status',
  iif(item.value ->> 'last_synced_at' = 'now', mine.time, item.value ->> 'last_synced_at'),
  item.value ->> 'last_sync_error',
  item.value ->> 'source_updated_at'
from
  (
    select
      (
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
          and "api_keys"."scope" = 'write'
      ) as brand,
      strftime('%Y-%m-%dT%H:%M:%fZ', 'now') as time,
      max(
        coalesce(
          (
            select
              change_number
            from
              "products"
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
                  "api_keys"."hash" = ?1
                  and "api_keys"."revoked_at" is null
                  and (
                    "api_keys"."expires_at" is null
                    or "api_keys"."expires_at" > strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
                  )
                  and "api_keys"."suspended_at" is null
                  and "api_keys"."scope" = 'write'
              )
              and collection = 'products'
            order by
              change_number desc
            limit
              1
          ),
          0
        )
      ) as newest
  ) as mine,
  json_each(?2) as item
where
  mine.brand is not null
  and true
  and item.value ->> 'id' not in (
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
              and "api_keys"."scope" = 'write'
          )
          and collection = 'products'
          and ?3
        order by
          change_number desc
        limit
          1000
      )
  )
on conflict (brand_id, id) do nothing;

select
  key.*,
  exists (
    select
      1
    from
      "products"
    where
      brand_id = key.brand_id
      and id = ?1
  ) as has_written,
  (
    select
      created_at
    from
      "products"
    where
      brand_id = key.brand_id
      and id = ?1
  ) as created_at,
  iif(
    ?2,
    ?1 in (
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
            and ?2
          order by
            change_number desc
          limit
            1000
        )
    ),
    0
  ) as is_gone,
  null as taken
from
  (
    select
      "api_keys"."brand_id",
      "api_keys"."scope",
      "api_keys"."suspended_at",
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
where
  key.is_live
  or has_written;
