-- The primary key starts with the brand, and ids sort by time of creation (UUIDv7), so a brand's list is one range of
-- it.
--
-- No CHECK uses IN: SQLite builds a table for each list of more than two values, and D1 bills a row read for each lookup
-- in it, for every row.
create table products (
  brand_id                    text not null references brands (id) on delete cascade,
  id                          text not null check (length(id) = 36),
  revision                    text not null check (length(revision) = 36),
  created_at                  text not null check (created_at is strftime('%Y-%m-%dT%H:%M:%fZ', created_at)),
  updated_at                  text not null check (updated_at is strftime('%Y-%m-%dT%H:%M:%fZ', updated_at)),
  change_number               integer not null check (change_number > 0),

  title                       text not null check (length(title) between 1 and 255 and title = trim(title)),
  description                 text not null check (length(description) <= 65535),
  handle                      text not null check (length(handle) between 1 and 255 and handle = lower(handle) and handle not glob '*[' || char(1) || '- "#%/<>?\' || char(127) || '-' || char(160) || ']*'),
  sku                         text check (length(sku) between 1 and 255),
  price_cents                 integer not null check (price_cents between 0 and 9999999999),
  currency_code               text not null check (length(currency_code) = 3 and currency_code not glob '*[^A-Z]*'),
  discount_percent            real not null check (discount_percent between 0 and 100 and round(discount_percent, 2) = discount_percent),
  margin_percent              real check (margin_percent between -1000 and 100 and round(margin_percent, 2) = margin_percent),
  featured                    integer not null check (featured = 0 or featured = 1),
  image_url                   text check (length(image_url) between 1 and 2048 and image_url like 'http%://%'),
  image_urls                  text not null check (json_valid(image_urls) and json_type(image_urls) = 'array' and json_array_length(image_urls) <= 250),
  marketplace_category        text not null check (length(marketplace_category) between 1 and 64 and marketplace_category not glob '*[^A-Z0-9_]*' and marketplace_category glob '[A-Z]*'),
  service_inventory_quantity  integer not null check (service_inventory_quantity between 0 and 2147483647),
  service_listing_status      text not null check (service_listing_status = 'DRAFT' or service_listing_status = 'PENDING_REVIEW' or service_listing_status = 'LIVE' or service_listing_status = 'PAUSED' or service_listing_status = 'REJECTED' or service_listing_status = 'ARCHIVED'),
  store_inventory_quantity    integer not null check (store_inventory_quantity between -2147483647 and 2147483647),
  store_product_id            text check (length(store_product_id) between 1 and 255),
  store_variant_id            text check (length(store_variant_id) between 1 and 255),
  store_status                text check (store_status = 'ACTIVE' or store_status = 'DRAFT' or store_status = 'ARCHIVED' or store_status = 'UNLISTED'),
  source                      text not null check (length(source) between 1 and 32 and source not glob '*[^A-Z0-9_]*' and source glob '[A-Z]*'),
  sync_status                 text not null check (sync_status = 'SYNCED' or sync_status = 'PENDING' or sync_status = 'FAILED' or sync_status = 'NOT_LINKED'),
  last_synced_at              text check (last_synced_at is strftime('%Y-%m-%dT%H:%M:%fZ', last_synced_at)),
  last_sync_error             text check (length(last_sync_error) between 1 and 2000),
  source_updated_at           text check (source_updated_at is strftime('%Y-%m-%dT%H:%M:%fZ', source_updated_at)),

  primary key (brand_id, id)
) strict, without rowid;

-- The index for the lookup that a store's webhooks repeat all day. The other filters scan the brand's rows: each extra
-- index adds one written row per product, which costs about 1,000 times a row read.
create index products_by_store_product on products (brand_id, store_product_id) where store_product_id is not null;
create index products_by_change on products (brand_id, change_number);
