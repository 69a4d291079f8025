-- One row per brand: its profile and the state of its store connection, so that one guarded UPDATE changes both halves.
create table brands (
  id                          text not null primary key check (length(id) = 36),
  revision                    text not null check (length(revision) = 36),
  created_at                  text not null check (created_at is strftime('%Y-%m-%dT%H:%M:%fZ', created_at)),
  updated_at                  text not null check (updated_at is strftime('%Y-%m-%dT%H:%M:%fZ', updated_at)),

  brand_name                  text not null check (length(brand_name) between 1 and 255 and brand_name = trim(brand_name)),
  contact_name                text check (length(contact_name) between 1 and 255),
  description                 text not null check (length(description) <= 5000),
  website                     text check (length(website) between 1 and 2048 and website like 'http%://%'),
  logo_url                    text check (length(logo_url) between 1 and 2048 and logo_url like 'http%://%'),
  support_email               text check (length(support_email) between 3 and 254),
  cart_minimum_cents          integer not null check (cart_minimum_cents between 0 and 9999999999),
  customer_ltv_cents          integer not null check (customer_ltv_cents between 0 and 9999999999),
  gross_margin_percent        real check (gross_margin_percent between -1000 and 100 and round(gross_margin_percent, 2) = gross_margin_percent),

  connection_status           text not null check (connection_status in ('CONNECTED', 'PENDING', 'ERROR', 'DISCONNECTED')),
  store_domain                text check (length(store_domain) between 1 and 253 and store_domain = lower(store_domain)),
  sync_enabled                integer not null check (sync_enabled in (0, 1)),
  last_products_sync_at       text check (last_products_sync_at is strftime('%Y-%m-%dT%H:%M:%fZ', last_products_sync_at)),
  last_discounts_sync_at      text check (last_discounts_sync_at is strftime('%Y-%m-%dT%H:%M:%fZ', last_discounts_sync_at)),
  last_sync_error             text check (length(last_sync_error) between 1 and 2000)
) strict, without rowid;

-- Keys are looked up by their SHA-256 on every request; the key itself is never stored.
create table api_keys (
  hash                        text not null primary key check (length(hash) = 64 and hash not glob '*[^0-9a-f]*'),
  id                          text not null unique check (length(id) = 36),
  brand_id                    text not null references brands (id) on delete cascade,
  prefix                      text not null check (length(prefix) = 12 and prefix glob 'bik_*'),
  label                       text not null check (length(label) <= 255),
  scope                       text not null check (scope in ('read', 'write')),
  created_at                  text not null check (created_at is strftime('%Y-%m-%dT%H:%M:%fZ', created_at)),
  expires_at                  text check (expires_at is strftime('%Y-%m-%dT%H:%M:%fZ', expires_at)),
  revoked_at                  text check (revoked_at is strftime('%Y-%m-%dT%H:%M:%fZ', revoked_at))
) strict, without rowid;

create index api_keys_by_brand on api_keys (brand_id);
