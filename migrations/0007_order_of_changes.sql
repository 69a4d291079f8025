-- The order of a brand's changes, for clients that follow them (GET ?since=). Each change to a resource gives it the
-- next number of its brand and collection; a deletion leaves a tombstone with the next number. D1 has a single writer,
-- so the numbers follow the order of the transactions, without relying on a clock.

create table tombstones (
  brand_id                    text not null references brands (id) on delete cascade,
  collection                  text not null check (length(collection) between 1 and 64),
  change_number               integer not null check (change_number > 0),
  id                          text not null check (length(id) = 36),
  -- The request that deleted the resource: a repeat of it after a lost acknowledgement finds its own work.
  request                     text check (length(request) = 36),
  created_at                  text not null check (created_at is strftime('%Y-%m-%dT%H:%M:%fZ', created_at)),
  deleted_at                  text not null check (deleted_at is strftime('%Y-%m-%dT%H:%M:%fZ', deleted_at)),

  primary key (brand_id, collection, change_number)
) strict, without rowid;

-- The result of each push item (POST ?match=), which cannot be derived from the ids.
alter table idempotency_records add column results text check (json_valid(results) and json_type(results) = 'array');

-- The tables are recreated, with their rows numbered in the order of their last change. No CHECK uses IN any more:
-- SQLite builds a table for each list of more than two values, and D1 bills a row read for each lookup in it, for every
-- row.
create table new_products (
  brand_id                    text not null references brands (id) on delete cascade,
  id                          text not null check (length(id) = 36),
  revision                    text not null check (length(revision) = 36),
  created_at                  text not null check (created_at is strftime('%Y-%m-%dT%H:%M:%fZ', created_at)),
  updated_at                  text not null check (updated_at is strftime('%Y-%m-%dT%H:%M:%fZ', updated_at)),
  change_number               integer not null default 0 check (change_number >= 0),

  title                       text not null check (length(title) between 1 and 255 and title = trim(title)),
  description                 text not null check (length(description) <= 65535),
  handle                      text not null check (length(handle) between 1 and 255 and handle not glob '*[^a-z0-9-]*' and handle not glob '-*' and handle not glob '*-' and handle not glob '*--*'),
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
insert into new_products (change_number, brand_id, id, revision, created_at, updated_at, title, description, handle, sku, price_cents, currency_code, discount_percent, margin_percent, featured, image_url, image_urls, marketplace_category, service_inventory_quantity, service_listing_status, store_inventory_quantity, store_product_id, store_variant_id, store_status, source, sync_status, last_synced_at, last_sync_error, source_updated_at)
select row_number() over (partition by brand_id order by updated_at, id), brand_id, id, revision, created_at, updated_at, title, description, handle, sku, price_cents, currency_code, discount_percent, margin_percent, featured, image_url, image_urls, marketplace_category, service_inventory_quantity, service_listing_status, store_inventory_quantity, store_product_id, store_variant_id, store_status, source, sync_status, last_synced_at, last_sync_error, source_updated_at
from products;
drop table products;
alter table new_products rename to products;
create index products_by_store_product on products (brand_id, store_product_id) where store_product_id is not null;
create index products_by_change on products (brand_id, change_number);

create table new_coupon_codes (
  brand_id                    text not null references brands (id) on delete cascade,
  id                          text not null check (length(id) = 36),
  revision                    text not null check (length(revision) = 36),
  created_at                  text not null check (created_at is strftime('%Y-%m-%dT%H:%M:%fZ', created_at)),
  updated_at                  text not null check (updated_at is strftime('%Y-%m-%dT%H:%M:%fZ', updated_at)),
  change_number               integer not null default 0 check (change_number >= 0),

  -- Kept as written and compared without regard to case: the column's collation is also that of its unique index.
  code                        text not null collate nocase check (length(code) between 1 and 64 and code not glob '*[^!-~]*'),
  active                      integer not null check (active = 0 or active = 1),
  category                    text not null check (length(category) between 1 and 64 and category not glob '*[^A-Z0-9_]*' and category glob '[A-Z]*'),
  current_uses                integer not null check (current_uses between 0 and 2147483647),
  max_uses                    integer check (max_uses between 1 and 2147483647),
  description                 text not null check (length(description) <= 1000),
  discount_percent            real not null check (discount_percent > 0 and discount_percent <= 100 and round(discount_percent, 2) = discount_percent),
  store_discount_id           text check (length(store_discount_id) between 1 and 255),
  sync_status                 text not null check (sync_status = 'SYNCED' or sync_status = 'PENDING' or sync_status = 'FAILED' or sync_status = 'NOT_LINKED'),
  last_synced_at              text check (last_synced_at is strftime('%Y-%m-%dT%H:%M:%fZ', last_synced_at)),

  primary key (brand_id, id),
  unique (brand_id, code)
) strict, without rowid;
insert into new_coupon_codes (change_number, brand_id, id, revision, created_at, updated_at, code, active, category, current_uses, max_uses, description, discount_percent, store_discount_id, sync_status, last_synced_at)
select row_number() over (partition by brand_id order by updated_at, id), brand_id, id, revision, created_at, updated_at, code, active, category, current_uses, max_uses, description, discount_percent, store_discount_id, sync_status, last_synced_at
from coupon_codes;
drop table coupon_codes;
alter table new_coupon_codes rename to coupon_codes;
create index coupon_codes_by_change on coupon_codes (brand_id, change_number);

-- During the rollout of this migration, the previous code still writes, without numbers. These triggers number its
-- changes. The new code sets the numbers itself and does not fire them. A later migration can drop them.
create trigger products_number_insert after insert on products when new.change_number = 0
begin
  update products set change_number = 1 + max(
    coalesce((select change_number from products where brand_id = new.brand_id order by change_number desc limit 1), 0),
    coalesce((select change_number from tombstones where brand_id = new.brand_id and collection = 'products' order by change_number desc limit 1), 0))
  where brand_id = new.brand_id and id = new.id;
end;
create trigger products_number_update after update on products when new.change_number = old.change_number and new.revision <> old.revision
begin
  update products set change_number = 1 + max(
    coalesce((select change_number from products where brand_id = new.brand_id order by change_number desc limit 1), 0),
    coalesce((select change_number from tombstones where brand_id = new.brand_id and collection = 'products' order by change_number desc limit 1), 0))
  where brand_id = new.brand_id and id = new.id;
end;
create trigger products_number_delete after delete on products
when exists (select 1 from brands where id = old.brand_id)
  and old.id is not (select id from tombstones where brand_id = old.brand_id and collection = 'products' order by change_number desc limit 1)
begin
  insert into tombstones (brand_id, collection, change_number, id, created_at, deleted_at)
  select old.brand_id, 'products', 1 + max(
    old.change_number,
    coalesce((select change_number from products where brand_id = old.brand_id order by change_number desc limit 1), 0),
    coalesce((select change_number from tombstones where brand_id = old.brand_id and collection = 'products' order by change_number desc limit 1), 0)),
    old.id, old.created_at, strftime('%Y-%m-%dT%H:%M:%fZ', 'now');
end;
create trigger coupon_codes_number_insert after insert on coupon_codes when new.change_number = 0
begin
  update coupon_codes set change_number = 1 + max(
    coalesce((select change_number from coupon_codes where brand_id = new.brand_id order by change_number desc limit 1), 0),
    coalesce((select change_number from tombstones where brand_id = new.brand_id and collection = 'coupon-codes' order by change_number desc limit 1), 0))
  where brand_id = new.brand_id and id = new.id;
end;
create trigger coupon_codes_number_update after update on coupon_codes when new.change_number = old.change_number and new.revision <> old.revision
begin
  update coupon_codes set change_number = 1 + max(
    coalesce((select change_number from coupon_codes where brand_id = new.brand_id order by change_number desc limit 1), 0),
    coalesce((select change_number from tombstones where brand_id = new.brand_id and collection = 'coupon-codes' order by change_number desc limit 1), 0))
  where brand_id = new.brand_id and id = new.id;
end;
create trigger coupon_codes_number_delete after delete on coupon_codes
when exists (select 1 from brands where id = old.brand_id)
  and old.id is not (select id from tombstones where brand_id = old.brand_id and collection = 'coupon-codes' order by change_number desc limit 1)
begin
  insert into tombstones (brand_id, collection, change_number, id, created_at, deleted_at)
  select old.brand_id, 'coupon-codes', 1 + max(
    old.change_number,
    coalesce((select change_number from coupon_codes where brand_id = old.brand_id order by change_number desc limit 1), 0),
    coalesce((select change_number from tombstones where brand_id = old.brand_id and collection = 'coupon-codes' order by change_number desc limit 1), 0)),
    old.id, old.created_at, strftime('%Y-%m-%dT%H:%M:%fZ', 'now');
end;
