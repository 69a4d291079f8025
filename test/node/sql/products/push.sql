select
  n,
  matches,
  old_id,
  mark,
  taken,
  differs,
  is_refused,
  ours,
  (
    select
      iif(
        json is null
        or (
          most > ?
          and octet_length (json_quote(json)) > ?
        ),
        most,
        json
      )
    from
      (
        select
          most,
          iif(
            bytes > ?,
            null,
            rtrim(
              json_object(
                'id',
                "products"."id",
                'title',
                "products"."title",
                'description',
                "products"."description",
                'handle',
                "products"."handle",
                'sku',
                "products"."sku",
                'priceCents',
                "products"."price_cents",
                'currencyCode',
                "products"."currency_code",
                'discountPercent',
                iif(
                  "products"."discount_percent" = cast("products"."discount_percent" as integer),
                  cast("products"."discount_percent" as integer),
                  "products"."discount_percent"
                ),
                'marginPercent',
                iif(
                  "products"."margin_percent" = cast("products"."margin_percent" as integer),
                  cast("products"."margin_percent" as integer),
                  "products"."margin_percent"
                ),
                'featured',
                json(
                  case "products"."featured"
                    when 1 then 'true'
                    when 0 then 'false'
                    else 'null'
                  end
                ),
                'imageUrl',
                "products"."image_url",
                'imageUrls',
                json("products"."image_urls"),
                'marketplaceCategory',
                "products"."marketplace_category",
                'serviceInventoryQuantity',
                "products"."service_inventory_quantity",
                'serviceListingStatus',
                "products"."service_listing_status",
                'storeInventoryQuantity',
                "products"."store_inventory_quantity"
              ),
              '}'
            ) || (
              ',' || ltrim(
                json_object(
                  'storeProductId',
                  "products"."store_product_id",
                  'storeVariantId',
                  "products"."store_variant_id",
                  'storeStatus',
                  "products"."store_status",
                  'source',
                  "products"."source",
                  'syncStatus',
                  "products"."sync_status",
                  'lastSyncedAt',
                  "products"."last_synced_at",
                  'lastSyncError',
                  "products"."last_sync_error",
                  'sourceUpdatedAt',
                  "products"."source_updated_at",
                  'createdAt',
                  "products"."created_at",
                  'updatedAt',
                  "products"."updated_at"
                ),
                '{'
              )
            )
          ) as json
        from
          (
            select
              bytes,
              4 * bytes + 1664 as most
            from
              (
                select
                  text_bytes as bytes
              )
          )
        limit
          -1
        offset
          0
      )
  ) as json
from
  (
    select
      n,
      matches,
      old_id,
      mark,
      taken,
      differs,
      is_refused,
      ours,
      text_bytes,
      coalesce(old_id, iif(?, null, mark)) as id,
      coalesce(created_at, ?) as created_at,
      iif(
        differs
        or old_id = mark,
        ?,
        coalesce(updated_at, ?)
      ) as updated_at,
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
    from
      (
        select
          n,
          mark,
          coalesce(hit.matches, 0) as matches,
          old.id as old_id,
          substr(old.revision, 1, 35) = substr(mark, 1, 35) as ours,
          0 as taken,
          old.id is not null
          and (
            (
              item.sets & 1
              and item."title" is not old."title" collate binary
            )
            or (
              item.sets & 2
              and item."description" is not old."description" collate binary
            )
            or (
              item.sets & 4
              and item."handle" is not old."handle" collate binary
            )
            or (
              item.sets & 8
              and item."sku" is not old."sku" collate binary
            )
            or (
              item.sets & 16
              and item."price_cents" is not old."price_cents" collate binary
            )
            or (
              item.sets & 32
              and item."currency_code" is not old."currency_code" collate binary
            )
            or (
              item.sets & 64
              and item."discount_percent" is not old."discount_percent" collate binary
            )
            or (
              item.sets & 128
              and item."margin_percent" is not old."margin_percent" collate binary
            )
            or (
              item.sets & 256
              and item."featured" is not old."featured" collate binary
            )
            or (
              item.sets & 512
              and item."image_url" is not old."image_url" collate binary
            )
            or (
              item.sets & 1024
              and item."image_urls" is not old."image_urls" collate binary
            )
            or (
              item.sets & 2048
              and item."marketplace_category" is not old."marketplace_category" collate binary
            )
            or (
              item.sets & 4096
              and item."service_inventory_quantity" is not old."service_inventory_quantity" collate binary
            )
            or (
              item.sets & 8192
              and item."service_listing_status" is not old."service_listing_status" collate binary
            )
            or (
              item.sets & 16384
              and item."store_inventory_quantity" is not old."store_inventory_quantity" collate binary
            )
            or (
              item.sets & 32768
              and item."store_product_id" is not old."store_product_id" collate binary
            )
            or (
              item.sets & 65536
              and item."store_variant_id" is not old."store_variant_id" collate binary
            )
            or (
              item.sets & 131072
              and item."store_status" is not old."store_status" collate binary
            )
            or (
              item.sets & 262144
              and item."source" is not old."source" collate binary
            )
            or (
              item.sets & 524288
              and item."sync_status" is not old."sync_status" collate binary
            )
            or (
              item.sets & 1048576
              and item."last_synced_at" is not old."last_synced_at" collate binary
            )
            or (
              item.sets & 2097152
              and item."last_sync_error" is not old."last_sync_error" collate binary
            )
            or (
              item.sets & 4194304
              and item."source_updated_at" is not old."source_updated_at" collate binary
            )
          ) as differs,
          coalesce(hit.matches, 0) > 1
          or 0
          or (
            coalesce(hit.matches, 0) = 0
            and not creates
          ) as is_refused,
          iif(
            old.id is null,
            0,
            0 + coalesce(iif(item.sets & 1, octet_length (item."title"), octet_length (old."title")), 0) + coalesce(iif(item.sets & 2, octet_length (item."description"), octet_length (old."description")), 0) + coalesce(iif(item.sets & 4, octet_length (item."handle"), octet_length (old."handle")), 0) + coalesce(iif(item.sets & 8, octet_length (item."sku"), octet_length (old."sku")), 0) + coalesce(iif(item.sets & 32, octet_length (item."currency_code"), octet_length (old."currency_code")), 0) + coalesce(iif(item.sets & 512, octet_length (item."image_url"), octet_length (old."image_url")), 0) + coalesce(iif(item.sets & 1024, octet_length (item."image_urls"), octet_length (old."image_urls")), 0) + coalesce(iif(item.sets & 2048, octet_length (item."marketplace_category"), octet_length (old."marketplace_category")), 0) + coalesce(iif(item.sets & 8192, octet_length (item."service_listing_status"), octet_length (old."service_listing_status")), 0) + coalesce(iif(item.sets & 32768, octet_length (item."store_product_id"), octet_length (old."store_product_id")), 0) + coalesce(iif(item.sets & 65536, octet_length (item."store_variant_id"), octet_length (old."store_variant_id")), 0) + coalesce(iif(item.sets & 131072, octet_length (item."store_status"), octet_length (old."store_status")), 0) + coalesce(iif(item.sets & 262144, octet_length (item."source"), octet_length (old."source")), 0) + coalesce(iif(item.sets & 524288, octet_length (item."sync_status"), octet_length (old."sync_status")), 0) + coalesce(iif(item.sets & 1048576, octet_length (item."last_synced_at"), octet_length (old."last_synced_at")), 0) + coalesce(iif(item.sets & 2097152, octet_length (item."last_sync_error"), octet_length (old."last_sync_error")), 0) + coalesce(iif(item.sets & 4194304, octet_length (item."source_updated_at"), octet_length (old."source_updated_at")), 0)
          ) as text_bytes,
          old.id as id,
          old.created_at as created_at,
          old.updated_at as updated_at,
          iif(
            old.id is null
            or old.id = mark
            or item.sets & 1,
            item."title",
            old."title"
          ) as "title",
          iif(
            old.id is null
            or old.id = mark
            or item.sets & 2,
            item."description",
            old."description"
          ) as "description",
          iif(
            old.id is null
            or old.id = mark
            or item.sets & 4,
            item."handle",
            old."handle"
          ) as "handle",
          iif(
            old.id is null
            or old.id = mark
            or item.sets & 8,
            item."sku",
            old."sku"
          ) as "sku",
          iif(
            old.id is null
            or old.id = mark
            or item.sets & 16,
            item."price_cents",
            old."price_cents"
          ) as "price_cents",
          iif(
            old.id is null
            or old.id = mark
            or item.sets & 32,
            item."currency_code",
            old."currency_code"
          ) as "currency_code",
          iif(
            old.id is null
            or old.id = mark
            or item.sets & 64,
            item."discount_percent",
            old."discount_percent"
          ) as "discount_percent",
          iif(
            old.id is null
            or old.id = mark
            or item.sets & 128,
            item."margin_percent",
            old."margin_percent"
          ) as "margin_percent",
          iif(
            old.id is null
            or old.id = mark
            or item.sets & 256,
            item."featured",
            old."featured"
          ) as "featured",
          iif(
            old.id is null
            or old.id = mark
            or item.sets & 512,
            item."image_url",
            old."image_url"
          ) as "image_url",
          iif(
            old.id is null
            or old.id = mark
            or item.sets & 1024,
            item."image_urls",
            old."image_urls"
          ) as "image_urls",
          iif(
            old.id is null
            or old.id = mark
            or item.sets & 2048,
            item."marketplace_category",
            old."marketplace_category"
          ) as "marketplace_category",
          iif(
            old.id is null
            or old.id = mark
            or item.sets & 4096,
            item."service_inventory_quantity",
            old."service_inventory_quantity"
          ) as "service_inventory_quantity",
          iif(
            old.id is null
            or old.id = mark
            or item.sets & 8192,
            item."service_listing_status",
            old."service_listing_status"
          ) as "service_listing_status",
          iif(
            old.id is null
            or old.id = mark
            or item.sets & 16384,
            item."store_inventory_quantity",
            old."store_inventory_quantity"
          ) as "store_inventory_quantity",
          iif(
            old.id is null
            or old.id = mark
            or item.sets & 32768,
            item."store_product_id",
            old."store_product_id"
          ) as "store_product_id",
          iif(
            old.id is null
            or old.id = mark
            or item.sets & 65536,
            item."store_variant_id",
            old."store_variant_id"
          ) as "store_variant_id",
          iif(
            old.id is null
            or old.id = mark
            or item.sets & 131072,
            item."store_status",
            old."store_status"
          ) as "store_status",
          iif(
            old.id is null
            or old.id = mark
            or item.sets & 262144,
            item."source",
            old."source"
          ) as "source",
          iif(
            old.id is null
            or old.id = mark
            or item.sets & 524288,
            item."sync_status",
            old."sync_status"
          ) as "sync_status",
          iif(
            old.id is null
            or old.id = mark
            or item.sets & 1048576,
            iif(item."last_synced_at" = 'now', ?, item."last_synced_at"),
            old."last_synced_at"
          ) as "last_synced_at",
          iif(
            old.id is null
            or old.id = mark
            or item.sets & 2097152,
            item."last_sync_error",
            old."last_sync_error"
          ) as "last_sync_error",
          iif(
            old.id is null
            or old.id = mark
            or item.sets & 4194304,
            item."source_updated_at",
            old."source_updated_at"
          ) as "source_updated_at"
        from
          (
            select
              parsed ->> 0 as "n",
              parsed ->> 1 as "v",
              parsed ->> 2 as "mark",
              parsed ->> 3 as "sets",
              parsed ->> 4 as "creates",
              parsed ->> 5 as "title",
              parsed ->> 6 as "description",
              parsed ->> 7 as "handle",
              parsed ->> 8 as "sku",
              parsed ->> 9 as "price_cents",
              parsed ->> 10 as "currency_code",
              parsed ->> 11 as "discount_percent",
              parsed ->> 12 as "margin_percent",
              parsed ->> 13 as "featured",
              parsed ->> 14 as "image_url",
              parsed ->> 15 as "image_urls",
              parsed ->> 16 as "marketplace_category",
              parsed ->> 17 as "service_inventory_quantity",
              parsed ->> 18 as "service_listing_status",
              parsed ->> 19 as "store_inventory_quantity",
              parsed ->> 20 as "store_product_id",
              parsed ->> 21 as "store_variant_id",
              parsed ->> 22 as "store_status",
              parsed ->> 23 as "source",
              parsed ->> 24 as "sync_status",
              parsed ->> 25 as "last_synced_at",
              parsed ->> 26 as "last_sync_error",
              parsed ->> 27 as "source_updated_at",
              null as found
            from
              (
                select
                  jsonb (value) as parsed
                from
                  json_each(iif(1, ?, '[]'))
                limit
                  -1
                offset
                  0
              )
            limit
              -1
            offset
              0
          ) as item
          left join (
            select
              "sku" as v,
              count(*) as matches,
              min(id) as id
            from
              "products"
            where
              brand_id = iif(
                1,
                iif(
                  ?,
                  (
                    select
                      "api_keys"."brand_id"
                    from
                      "api_keys"
                    where
                      "api_keys"."hash" = ?
                  ),
                  (
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
                ),
                null
              )
              and "sku" in (
                select
                  value
                from
                  json_each(?)
              )
            group by
              "sku"
          ) as hit on hit.v = item.v
          left join "products" as old on hit.matches = 1
          and old.id = hit.id
          and old.brand_id = iif(
            ?,
            (
              select
                "api_keys"."brand_id"
              from
                "api_keys"
              where
                "api_keys"."hash" = ?
            ),
            (
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
          )
      )
  ) as "products";

with
  merged as materialized (
    select
      n,
      mark,
      coalesce(hit.matches, 0) as matches,
      old.id as old_id,
      substr(old.revision, 1, 35) = substr(mark, 1, 35) as ours,
      0 as taken,
      old.id is not null
      and (
        (
          item.sets & 1
          and item."title" is not old."title" collate binary
        )
        or (
          item.sets & 2
          and item."description" is not old."description" collate binary
        )
        or (
          item.sets & 4
          and item."handle" is not old."handle" collate binary
        )
        or (
          item.sets & 8
          and item."sku" is not old."sku" collate binary
        )
        or (
          item.sets & 16
          and item."price_cents" is not old."price_cents" collate binary
        )
        or (
          item.sets & 32
          and item."currency_code" is not old."currency_code" collate binary
        )
        or (
          item.sets & 64
          and item."discount_percent" is not old."discount_percent" collate binary
        )
        or (
          item.sets & 128
          and item."margin_percent" is not old."margin_percent" collate binary
        )
        or (
          item.sets & 256
          and item."featured" is not old."featured" collate binary
        )
        or (
          item.sets & 512
          and item."image_url" is not old."image_url" collate binary
        )
        or (
          item.sets & 1024
          and item."image_urls" is not old."image_urls" collate binary
        )
        or (
          item.sets & 2048
          and item."marketplace_category" is not old."marketplace_category" collate binary
        )
        or (
          item.sets & 4096
          and item."service_inventory_quantity" is not old."service_inventory_quantity" collate binary
        )
        or (
          item.sets & 8192
          and item."service_listing_status" is not old."service_listing_status" collate binary
        )
        or (
          item.sets & 16384
          and item."store_inventory_quantity" is not old."store_inventory_quantity" collate binary
        )
        or (
          item.sets & 32768
          and item."store_product_id" is not old."store_product_id" collate binary
        )
        or (
          item.sets & 65536
          and item."store_variant_id" is not old."store_variant_id" collate binary
        )
        or (
          item.sets & 131072
          and item."store_status" is not old."store_status" collate binary
        )
        or (
          item.sets & 262144
          and item."source" is not old."source" collate binary
        )
        or (
          item.sets & 524288
          and item."sync_status" is not old."sync_status" collate binary
        )
        or (
          item.sets & 1048576
          and item."last_synced_at" is not old."last_synced_at" collate binary
        )
        or (
          item.sets & 2097152
          and item."last_sync_error" is not old."last_sync_error" collate binary
        )
        or (
          item.sets & 4194304
          and item."source_updated_at" is not old."source_updated_at" collate binary
        )
      ) as differs,
      coalesce(hit.matches, 0) > 1
      or 0
      or (
        coalesce(hit.matches, 0) = 0
        and not creates
      ) as is_refused,
      iif(
        old.id is null,
        0,
        0 + coalesce(iif(item.sets & 1, octet_length (item."title"), octet_length (old."title")), 0) + coalesce(iif(item.sets & 2, octet_length (item."description"), octet_length (old."description")), 0) + coalesce(iif(item.sets & 4, octet_length (item."handle"), octet_length (old."handle")), 0) + coalesce(iif(item.sets & 8, octet_length (item."sku"), octet_length (old."sku")), 0) + coalesce(iif(item.sets & 32, octet_length (item."currency_code"), octet_length (old."currency_code")), 0) + coalesce(iif(item.sets & 512, octet_length (item."image_url"), octet_length (old."image_url")), 0) + coalesce(iif(item.sets & 1024, octet_length (item."image_urls"), octet_length (old."image_urls")), 0) + coalesce(iif(item.sets & 2048, octet_length (item."marketplace_category"), octet_length (old."marketplace_category")), 0) + coalesce(iif(item.sets & 8192, octet_length (item."service_listing_status"), octet_length (old."service_listing_status")), 0) + coalesce(iif(item.sets & 32768, octet_length (item."store_product_id"), octet_length (old."store_product_id")), 0) + coalesce(iif(item.sets & 65536, octet_length (item."store_variant_id"), octet_length (old."store_variant_id")), 0) + coalesce(iif(item.sets & 131072, octet_length (item."store_status"), octet_length (old."store_status")), 0) + coalesce(iif(item.sets & 262144, octet_length (item."source"), octet_length (old."source")), 0) + coalesce(iif(item.sets & 524288, octet_length (item."sync_status"), octet_length (old."sync_status")), 0) + coalesce(iif(item.sets & 1048576, octet_length (item."last_synced_at"), octet_length (old."last_synced_at")), 0) + coalesce(iif(item.sets & 2097152, octet_length (item."last_sync_error"), octet_length (old."last_sync_error")), 0) + coalesce(iif(item.sets & 4194304, octet_length (item."source_updated_at"), octet_length (old."source_updated_at")), 0)
      ) as text_bytes,
      old.id as id,
      old.created_at as created_at,
      old.updated_at as updated_at,
      iif(
        old.id is null
        or old.id = mark
        or item.sets & 1,
        item."title",
        old."title"
      ) as "title",
      iif(
        old.id is null
        or old.id = mark
        or item.sets & 2,
        item."description",
        iif(
          old.id is not null
          and (
            (
              item.sets & 1
              and item."title" is not old."title" collate binary
            )
            or (
              item.sets & 2
              and item."description" is not old."description" collate binary
            )
            or (
              item.sets & 4
              and item."handle" is not old."handle" collate binary
            )
            or (
              item.sets & 8
              and item."sku" is not old."sku" collate binary
            )
            or (
              item.sets & 16
              and item."price_cents" is not old."price_cents" collate binary
            )
            or (
              item.sets & 32
              and item."currency_code" is not old."currency_code" collate binary
            )
            or (
              item.sets & 64
              and item."discount_percent" is not old."discount_percent" collate binary
            )
            or (
              item.sets & 128
              and item."margin_percent" is not old."margin_percent" collate binary
            )
            or (
              item.sets & 256
              and item."featured" is not old."featured" collate binary
            )
            or (
              item.sets & 512
              and item."image_url" is not old."image_url" collate binary
            )
            or (
              item.sets & 1024
              and item."image_urls" is not old."image_urls" collate binary
            )
            or (
              item.sets & 2048
              and item."marketplace_category" is not old."marketplace_category" collate binary
            )
            or (
              item.sets & 4096
              and item."service_inventory_quantity" is not old."service_inventory_quantity" collate binary
            )
            or (
              item.sets & 8192
              and item."service_listing_status" is not old."service_listing_status" collate binary
            )
            or (
              item.sets & 16384
              and item."store_inventory_quantity" is not old."store_inventory_quantity" collate binary
            )
            or (
              item.sets & 32768
              and item."store_product_id" is not old."store_product_id" collate binary
            )
            or (
              item.sets & 65536
              and item."store_variant_id" is not old."store_variant_id" collate binary
            )
            or (
              item.sets & 131072
              and item."store_status" is not old."store_status" collate binary
            )
            or (
              item.sets & 262144
              and item."source" is not old."source" collate binary
            )
            or (
              item.sets & 524288
              and item."sync_status" is not old."sync_status" collate binary
            )
            or (
              item.sets & 1048576
              and item."last_synced_at" is not old."last_synced_at" collate binary
            )
            or (
              item.sets & 2097152
              and item."last_sync_error" is not old."last_sync_error" collate binary
            )
            or (
              item.sets & 4194304
              and item."source_updated_at" is not old."source_updated_at" collate binary
            )
          ),
          old."description",
          null
        )
      ) as "description",
      iif(
        old.id is null
        or old.id = mark
        or item.sets & 4,
        item."handle",
        old."handle"
      ) as "handle",
      iif(
        old.id is null
        or old.id = mark
        or item.sets & 8,
        item."sku",
        old."sku"
      ) as "sku",
      iif(
        old.id is null
        or old.id = mark
        or item.sets & 16,
        item."price_cents",
        old."price_cents"
      ) as "price_cents",
      iif(
        old.id is null
        or old.id = mark
        or item.sets & 32,
        item."currency_code",
        old."currency_code"
      ) as "currency_code",
      iif(
        old.id is null
        or old.id = mark
        or item.sets & 64,
        item."discount_percent",
        old."discount_percent"
      ) as "discount_percent",
      iif(
        old.id is null
        or old.id = mark
        or item.sets & 128,
        item."margin_percent",
        old."margin_percent"
      ) as "margin_percent",
      iif(
        old.id is null
        or old.id = mark
        or item.sets & 256,
        item."featured",
        old."featured"
      ) as "featured",
      iif(
        old.id is null
        or old.id = mark
        or item.sets & 512,
        item."image_url",
        old."image_url"
      ) as "image_url",
      iif(
        old.id is null
        or old.id = mark
        or item.sets & 1024,
        item."image_urls",
        iif(
          old.id is not null
          and (
            (
              item.sets & 1
              and item."title" is not old."title" collate binary
            )
            or (
              item.sets & 2
              and item."description" is not old."description" collate binary
            )
            or (
              item.sets & 4
              and item."handle" is not old."handle" collate binary
            )
            or (
              item.sets & 8
              and item."sku" is not old."sku" collate binary
            )
            or (
              item.sets & 16
              and item."price_cents" is not old."price_cents" collate binary
            )
            or (
              item.sets & 32
              and item."currency_code" is not old."currency_code" collate binary
            )
            or (
              item.sets & 64
              and item."discount_percent" is not old."discount_percent" collate binary
            )
            or (
              item.sets & 128
              and item."margin_percent" is not old."margin_percent" collate binary
            )
            or (
              item.sets & 256
              and item."featured" is not old."featured" collate binary
            )
            or (
              item.sets & 512
              and item."image_url" is not old."image_url" collate binary
            )
            or (
              item.sets & 1024
              and item."image_urls" is not old."image_urls" collate binary
            )
            or (
              item.sets & 2048
              and item."marketplace_category" is not old."marketplace_category" collate binary
            )
            or (
              item.sets & 4096
              and item."service_inventory_quantity" is not old."service_inventory_quantity" collate binary
            )
            or (
              item.sets & 8192
              and item."service_listing_status" is not old."service_listing_status" collate binary
            )
            or (
              item.sets & 16384
              and item."store_inventory_quantity" is not old."store_inventory_quantity" collate binary
            )
            or (
              item.sets & 32768
              and item."store_product_id" is not old."store_product_id" collate binary
            )
            or (
              item.sets & 65536
              and item."store_variant_id" is not old."store_variant_id" collate binary
            )
            or (
              item.sets & 131072
              and item."store_status" is not old."store_status" collate binary
            )
            or (
              item.sets & 262144
              and item."source" is not old."source" collate binary
            )
            or (
              item.sets & 524288
              and item."sync_status" is not old."sync_status" collate binary
            )
            or (
              item.sets & 1048576
              and item."last_synced_at" is not old."last_synced_at" collate binary
            )
            or (
              item.sets & 2097152
              and item."last_sync_error" is not old."last_sync_error" collate binary
            )
            or (
              item.sets & 4194304
              and item."source_updated_at" is not old."source_updated_at" collate binary
            )
          ),
          old."image_urls",
          null
        )
      ) as "image_urls",
      iif(
        old.id is null
        or old.id = mark
        or item.sets & 2048,
        item."marketplace_category",
        old."marketplace_category"
      ) as "marketplace_category",
      iif(
        old.id is null
        or old.id = mark
        or item.sets & 4096,
        item."service_inventory_quantity",
        old."service_inventory_quantity"
      ) as "service_inventory_quantity",
      iif(
        old.id is null
        or old.id = mark
        or item.sets & 8192,
        item."service_listing_status",
        old."service_listing_status"
      ) as "service_listing_status",
      iif(
        old.id is null
        or old.id = mark
        or item.sets & 16384,
        item."store_inventory_quantity",
        old."store_inventory_quantity"
      ) as "store_inventory_quantity",
      iif(
        old.id is null
        or old.id = mark
        or item.sets & 32768,
        item."store_product_id",
        old."store_product_id"
      ) as "store_product_id",
      iif(
        old.id is null
        or old.id = mark
        or item.sets & 65536,
        item."store_variant_id",
        old."store_variant_id"
      ) as "store_variant_id",
      iif(
        old.id is null
        or old.id = mark
        or item.sets & 131072,
        item."store_status",
        old."store_status"
      ) as "store_status",
      iif(
        old.id is null
        or old.id = mark
        or item.sets & 262144,
        item."source",
        old."source"
      ) as "source",
      iif(
        old.id is null
        or old.id = mark
        or item.sets & 524288,
        item."sync_status",
        old."sync_status"
      ) as "sync_status",
      iif(
        old.id is null
        or old.id = mark
        or item.sets & 1048576,
        iif(item."last_synced_at" = 'now', strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), item."last_synced_at"),
        old."last_synced_at"
      ) as "last_synced_at",
      iif(
        old.id is null
        or old.id = mark
        or item.sets & 2097152,
        item."last_sync_error",
        old."last_sync_error"
      ) as "last_sync_error",
      iif(
        old.id is null
        or old.id = mark
        or item.sets & 4194304,
        item."source_updated_at",
        old."source_updated_at"
      ) as "source_updated_at"
    from
      (
        select
          parsed ->> 0 as "n",
          parsed ->> 1 as "v",
          parsed ->> 2 as "mark",
          parsed ->> 3 as "sets",
          parsed ->> 4 as "creates",
          parsed ->> 5 as "title",
          parsed ->> 6 as "description",
          parsed ->> 7 as "handle",
          parsed ->> 8 as "sku",
          parsed ->> 9 as "price_cents",
          parsed ->> 10 as "currency_code",
          parsed ->> 11 as "discount_percent",
          parsed ->> 12 as "margin_percent",
          parsed ->> 13 as "featured",
          parsed ->> 14 as "image_url",
          parsed ->> 15 as "image_urls",
          parsed ->> 16 as "marketplace_category",
          parsed ->> 17 as "service_inventory_quantity",
          parsed ->> 18 as "service_listing_status",
          parsed ->> 19 as "store_inventory_quantity",
          parsed ->> 20 as "store_product_id",
          parsed ->> 21 as "store_variant_id",
          parsed ->> 22 as "store_status",
          parsed ->> 23 as "source",
          parsed ->> 24 as "sync_status",
          parsed ->> 25 as "last_synced_at",
          parsed ->> 26 as "last_sync_error",
          parsed ->> 27 as "source_updated_at",
          null as found
        from
          (
            select
              jsonb (value) as parsed
            from
              json_each(
                iif(
                  (
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
                  ) is not null,
                  ?,
                  '[]'
                )
              )
            limit
              -1
            offset
              0
          )
        limit
          -1
        offset
          0
      ) as item
      left join (
        select
          "sku" as v,
          count(*) as matches,
          min(id) as id
        from
          "products"
        where
          brand_id = iif(
            (
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
            ) is not null,
            (
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
            ),
            null
          )
          and "sku" in (
            select
              value
            from
              json_each(?)
          )
        group by
          "sku"
      ) as hit on hit.v = item.v
      left join "products" as old on hit.matches = 1
      and old.id = hit.id
      and old.brand_id = (
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
  )
insert into
  "products" (
    brand_id,
    id,
    created_at,
    revision,
    updated_at,
    change_number,
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
  (
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
  ),
  coalesce(old_id, mark),
  coalesce(created_at, strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  substr(mark, 1, 35) || char(48 + ?),
  strftime('%Y-%m-%dT%H:%M:%fZ', 'now'),
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
          and collection = 'products'
        order by
          change_number desc
        limit
          1
      ),
      0
    )
  ) + 1 + n,
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
from
  merged
where
  not is_refused
  and (
    differs
    or old_id is null
    and (
      not ?
      or mark not in (
        select
          id
        from
          (
            select
              id,
              request,
              created_at
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
              )
              and collection = 'products'
              and ?
            order by
              change_number desc
            limit
              1000
          )
      )
    )
  )
  and (
    ?
    or not exists (
      select
        1
      from
        merged
      where
        is_refused
    )
  )
on conflict (brand_id, id) do update
set
  "revision" = excluded."revision",
  "updated_at" = excluded."updated_at",
  "change_number" = excluded."change_number",
  "price_cents" = excluded."price_cents",
  "title" = excluded."title"
where
  substr(excluded.id, 1, 35) <> substr(excluded.revision, 1, 35);

select
  key.brand_id,
  key.scope,
  instr(?, substr(revision, 1, 35)) + instr(?, "products"."id") > 0 as has_written,
  not (
    key.is_live
    and key.scope = 'write'
  ) as ended,
  iif(
    instr(?, substr(revision, 1, 35)),
    "products"."updated_at",
    coalesce(
      (
        select
          created_at
        from
          (
            select
              id,
              request,
              created_at
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
              )
              and collection = 'products'
              and ?
            order by
              change_number desc
            limit
              1000
          )
        where
          instr(?, id)
      ),
      "products"."created_at"
    )
  ) as time
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
  left join "products" on "products"."brand_id" = key.brand_id
  and "products"."id" = (
    select
      id
    from
      (
        select
          id,
          revision
        from
          "products"
        where
          brand_id = key.brand_id
        order by
          change_number desc
        limit
          1 + 1000 * ?
      ) as "products"
    where
      instr(?, substr(revision, 1, 35)) + instr(?, "products"."id") > 0
      or not ?
    limit
      1
  )
where
  key.is_live
  or instr(?, substr(revision, 1, 35)) + instr(?, "products"."id") > 0;
