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

  connection_status           text not null check (connection_status = 'CONNECTED' or connection_status = 'PENDING' or connection_status = 'ERROR' or connection_status = 'DISCONNECTED'),
  store_domain                text check (length(store_domain) between 1 and 253 and store_domain = lower(store_domain)),
  sync_enabled                integer not null check (sync_enabled = 0 or sync_enabled = 1),
  last_products_sync_at       text check (last_products_sync_at is strftime('%Y-%m-%dT%H:%M:%fZ', last_products_sync_at)),
  last_discounts_sync_at      text check (last_discounts_sync_at is strftime('%Y-%m-%dT%H:%M:%fZ', last_discounts_sync_at)),
  last_sync_error             text check (length(last_sync_error) between 1 and 2000),

  -- Since when the operator has suspended the brand. Its keys have the same time, because requests read only their key;
  -- this one is for the keys that are issued meanwhile.
  suspended_at                text check (suspended_at is strftime('%Y-%m-%dT%H:%M:%fZ', suspended_at))
) strict, without rowid;
