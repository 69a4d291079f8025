select
  n,
  matches,
  old_id,
  mark,
  taken,
  differs,
  old_revision,
  iif(
    old_id is not null
    and coalesce(octet_length ("products"."description"), 0) + coalesce(octet_length ("products"."image_urls"), 0) > ?,
    coalesce(octet_length ("products"."description"), 0) + coalesce(octet_length ("products"."image_urls"), 0),
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
      n,
      matches,
      old_id,
      mark,
      taken,
      differs,
      old_revision,
      coalesce(old_id, iif(?, null, mark)) as id,
      coalesce(created_at, ?) as created_at,
      iif(differs, ?, coalesce(updated_at, ?)) as updated_at,
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
          item.value ->> 'n' as n,
          item.value ->> 'u' as mark,
          item.matches as matches,
          old.id as old_id,
          old.revision as old_revision,
          0 as taken,
          old.id is not null
          and (
            (
              item.value -> '$.p.price_cents' is not null
              and item.value ->> '$.p.price_cents' is not old."price_cents" collate binary
            )
            or (
              item.value -> '$.p.sku' is not null
              and item.value ->> '$.p.sku' is not old."sku" collate binary
            )
            or (
              item.value -> '$.p.title' is not null
              and item.value ->> '$.p.title' is not old."title" collate binary
            )
          ) as differs,
          item.matches > 1
          or 0
          or (
            item.matches = 0
            and item.value -> 'd' is null
          ) as is_refused,
          old.id as id,
          old.created_at as created_at,
          old.updated_at as updated_at,
          case
            when item.value -> '$.p.title' is not null then item.value ->> '$.p.title'
            when old.id is null then item.value ->> '$.d.title'
            else old."title"
          end as "title",
          case
            when old.id is null then item.value ->> '$.d.description'
            else old."description"
          end as "description",
          case
            when old.id is null then item.value ->> '$.d.handle'
            else old."handle"
          end as "handle",
          case
            when item.value -> '$.p.sku' is not null then item.value ->> '$.p.sku'
            when old.id is null then item.value ->> '$.d.sku'
            else old."sku"
          end as "sku",
          case
            when item.value -> '$.p.price_cents' is not null then item.value ->> '$.p.price_cents'
            when old.id is null then item.value ->> '$.d.price_cents'
            else old."price_cents"
          end as "price_cents",
          case
            when old.id is null then item.value ->> '$.d.currency_code'
            else old."currency_code"
          end as "currency_code",
          case
            when old.id is null then item.value ->> '$.d.discount_percent'
            else old."discount_percent"
          end as "discount_percent",
          case
            when old.id is null then item.value ->> '$.d.margin_percent'
            else old."margin_percent"
          end as "margin_percent",
          case
            when old.id is null then item.value ->> '$.d.featured'
            else old."featured"
          end as "featured",
          case
            when old.id is null then item.value ->> '$.d.image_url'
            else old."image_url"
          end as "image_url",
          case
            when old.id is null then item.value ->> '$.d.image_urls'
            else old."image_urls"
          end as "image_urls",
          case
            when old.id is null then item.value ->> '$.d.marketplace_category'
            else old."marketplace_category"
          end as "marketplace_category",
          case
            when old.id is null then item.value ->> '$.d.service_inventory_quantity'
            else old."service_inventory_quantity"
          end as "service_inventory_quantity",
          case
            when old.id is null then item.value ->> '$.d.service_listing_status'
            else old."service_listing_status"
          end as "service_listing_status",
          case
            when old.id is null then item.value ->> '$.d.store_inventory_quantity'
            else old."store_inventory_quantity"
          end as "store_inventory_quantity",
          case
            when old.id is null then item.value ->> '$.d.store_product_id'
            else old."store_product_id"
          end as "store_product_id",
          case
            when old.id is null then item.value ->> '$.d.store_variant_id'
            else old."store_variant_id"
          end as "store_variant_id",
          case
            when old.id is null then item.value ->> '$.d.store_status'
            else old."store_status"
          end as "store_status",
          case
            when old.id is null then item.value ->> '$.d.source'
            else old."source"
          end as "source",
          case
            when old.id is null then item.value ->> '$.d.sync_status'
            else old."sync_status"
          end as "sync_status",
          case
            when old.id is null then iif(item.value ->> '$.d.last_synced_at' = 'now', ?, item.value ->> '$.d.last_synced_at')
            else old."last_synced_at"
          end as "last_synced_at",
          case
            when old.id is null then item.value ->> '$.d.last_sync_error'
            else old."last_sync_error"
          end as "last_sync_error",
          case
            when old.id is null then item.value ->> '$.d.source_updated_at'
            else old."source_updated_at"
          end as "source_updated_at"
        from
          (
            select
              max(value) as value,
              count(id) as matches,
              min(id) as id
            from
              (
                select
                  item.value ->> 'v' as v,
                  item.value as value,
                  null as id
                from
                  json_each(iif(1, ?, '[]')) as item
                union all
                select
                  "sku",
                  null,
                  id
                from
                  "products"
                where
                  brand_id = iif(
                    1,
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
                      item.value ->> 'v'
                    from
                      json_each(iif(1, ?, '[]')) as item
                  )
              )
            group by
              v
            having
              max(value) is not null
          ) as item
          left join "products" as old on item.matches = 1
          and old.id = item.id
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
  ) as "products";

with
  merged as materialized (
    select
      item.value ->> 'n' as n,
      item.value ->> 'u' as mark,
      item.matches as matches,
      old.id as old_id,
      old.revision as old_revision,
      0 as taken,
      old.id is not null
      and (
        (
          item.value -> '$.p.price_cents' is not null
          and item.value ->> '$.p.price_cents' is not old."price_cents" collate binary
        )
        or (
          item.value -> '$.p.sku' is not null
          and item.value ->> '$.p.sku' is not old."sku" collate binary
        )
        or (
          item.value -> '$.p.title' is not null
          and item.value ->> '$.p.title' is not old."title" collate binary
        )
      ) as differs,
      item.matches > 1
      or 0
      or (
        item.matches = 0
        and item.value -> 'd' is null
      ) as is_refused,
      old.id as id,
      old.created_at as created_at,
      old.updated_at as updated_at,
      case
        when item.value -> '$.p.title' is not null then item.value ->> '$.p.title'
        when old.id is null then item.value ->> '$.d.title'
        else old."title"
      end as "title",
      case
        when old.id is null then item.value ->> '$.d.description'
        else old."description"
      end as "description",
      case
        when old.id is null then item.value ->> '$.d.handle'
        else old."handle"
      end as "handle",
      case
        when item.value -> '$.p.sku' is not null then item.value ->> '$.p.sku'
        when old.id is null then item.value ->> '$.d.sku'
        else old."sku"
      end as "sku",
      case
        when item.value -> '$.p.price_cents' is not null then item.value ->> '$.p.price_cents'
        when old.id is null then item.value ->> '$.d.price_cents'
        else old."price_cents"
      end as "price_cents",
      case
        when old.id is null then item.value ->> '$.d.currency_code'
        else old."currency_code"
      end as "currency_code",
      case
        when old.id is null then item.value ->> '$.d.discount_percent'
        else old."discount_percent"
      end as "discount_percent",
      case
        when old.id is null then item.value ->> '$.d.margin_percent'
        else old."margin_percent"
      end as "margin_percent",
      case
        when old.id is null then item.value ->> '$.d.featured'
        else old."featured"
      end as "featured",
      case
        when old.id is null then item.value ->> '$.d.image_url'
        else old."image_url"
      end as "image_url",
      case
        when old.id is null then item.value ->> '$.d.image_urls'
        else old."image_urls"
      end as "image_urls",
      case
        when old.id is null then item.value ->> '$.d.marketplace_category'
        else old."marketplace_category"
      end as "marketplace_category",
      case
        when old.id is null then item.value ->> '$.d.service_inventory_quantity'
        else old."service_inventory_quantity"
      end as "service_inventory_quantity",
      case
        when old.id is null then item.value ->> '$.d.service_listing_status'
        else old."service_listing_status"
      end as "service_listing_status",
      case
        when old.id is null then item.value ->> '$.d.store_inventory_quantity'
        else old."store_inventory_quantity"
      end as "store_inventory_quantity",
      case
        when old.id is null then item.value ->> '$.d.store_product_id'
        else old."store_product_id"
      end as "store_product_id",
      case
        when old.id is null then item.value ->> '$.d.store_variant_id'
        else old."store_variant_id"
      end as "store_variant_id",
      case
        when old.id is null then item.value ->> '$.d.store_status'
        else old."store_status"
      end as "store_status",
      case
        when old.id is null then item.value ->> '$.d.source'
        else old."source"
      end as "source",
      case
        when old.id is null then item.value ->> '$.d.sync_status'
        else old."sync_status"
      end as "sync_status",
      case
        when old.id is null then iif(item.value ->> '$.d.last_synced_at' = 'now', strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), item.value ->> '$.d.last_synced_at')
        else old."last_synced_at"
      end as "last_synced_at",
      case
        when old.id is null then item.value ->> '$.d.last_sync_error'
        else old."last_sync_error"
      end as "last_sync_error",
      case
        when old.id is null then item.value ->> '$.d.source_updated_at'
        else old."source_updated_at"
      end as "source_updated_at"
    from
      (
        select
          max(value) as value,
          count(id) as matches,
          min(id) as id
        from
          (
            select
              item.value ->> 'v' as v,
              item.value as value,
              null as id
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
              ) as item
            union all
            select
              "sku",
              null,
              id
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
                  item.value ->> 'v'
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
                  ) as item
              )
          )
        group by
          v
        having
          max(value) is not null
      ) as item
      left join "products" as old on item.matches = 1
      and old.id = item.id
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
  mark,
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
    old_id is null
    or differs
  )
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
  excluded.id <> excluded.revision;

select
  key.brand_id,
  key.scope,
  instr(?, "products"."revision") > 0 as has_written,
  iif(
    instr(?, "products"."revision") > 0,
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
          instr(?, id) > 0
      ),
      "products"."updated_at"
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
      "products"
    where
      brand_id = key.brand_id
    order by
      change_number desc
    limit
      1
  )
where
  key.is_live
  or instr(?, "products"."revision") > 0;
