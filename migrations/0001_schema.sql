-- The whole schema. STRICT and WITHOUT ROWID, which drizzle-kit does not know, are why it is written by hand.
--
-- A CHECK has only what the service itself relies on, because SQLite cannot alter one. Times are compared as texts, so
-- each has its one form. An empty text stands for something else in some statements. The rules of the values that clients
-- send are in src/fields and src/resources, and nowhere else.
--
-- No CHECK uses IN: SQLite builds a table for each list of more than two values, and D1 bills a row read for each lookup
-- in it, for every row.
--
-- No comment here has a semicolon or an apostrophe, because Cloudflare splits this file by them.

-- One row per brand: its profile and the state of its store connection, so that one guarded UPDATE changes both halves.
create table brands (
  id                          text not null primary key check (length(id) = 36),
  revision                    text not null check (length(revision) = 36),
  created_at                  text not null check (created_at is strftime('%Y-%m-%dT%H:%M:%fZ', created_at)),
  updated_at                  text not null check (updated_at is strftime('%Y-%m-%dT%H:%M:%fZ', updated_at)),

  brand_name                  text not null,
  contact_name                text,
  description                 text not null,
  website                     text,
  logo_url                    text,
  support_email               text,
  cart_minimum_cents          integer not null,
  customer_ltv_cents          integer not null,
  gross_margin_percent        real,

  connection_status           text not null,
  store_domain                text,
  sync_enabled                integer not null check (sync_enabled = 0 or sync_enabled = 1),
  last_products_sync_at       text check (last_products_sync_at is strftime('%Y-%m-%dT%H:%M:%fZ', last_products_sync_at)),
  last_discounts_sync_at      text check (last_discounts_sync_at is strftime('%Y-%m-%dT%H:%M:%fZ', last_discounts_sync_at)),
  last_sync_error             text,

  -- Since when the operator has suspended the brand. Its keys have the same time, because requests read only their key.
  -- This one is for the keys that are issued meanwhile.
  suspended_at                text check (suspended_at is strftime('%Y-%m-%dT%H:%M:%fZ', suspended_at)),
  -- Which command of the operator has begun with the brand and not ended yet: a deletion or an import, which take several
  -- transactions. The brand is half there, so nothing may take it for whole. No request reads it: a brand that is being
  -- deleted has no keys, and one that is being imported has none that anybody knows.
  unfinished                  text check (unfinished = 'delete' or unfinished = 'import')
) strict, without rowid;

-- Keys are looked up by their SHA-256 on every request. The key itself is never stored.
create table api_keys (
  hash                        text not null primary key check (length(hash) = 64 and hash not glob '*[^0-9a-f]*'),
  id                          text not null unique check (length(id) = 36),
  brand_id                    text not null references brands (id) on delete cascade,
  prefix                      text not null check (length(prefix) = 12 and prefix glob 'bik_*'),
  label                       text not null check (length(label) <= 255),
  scope                       text not null check (scope = 'read' or scope = 'write'),
  created_at                  text not null check (created_at is strftime('%Y-%m-%dT%H:%M:%fZ', created_at)),
  expires_at                  text check (expires_at is strftime('%Y-%m-%dT%H:%M:%fZ', expires_at)),
  revoked_at                  text check (revoked_at is strftime('%Y-%m-%dT%H:%M:%fZ', revoked_at)),
  -- Since when its brand is suspended, as in brands.
  suspended_at                text check (suspended_at is strftime('%Y-%m-%dT%H:%M:%fZ', suspended_at)),
  -- The key that a rotation issued in its place: a key is rotated once. No foreign key, because each key that is deleted
  -- would be looked for in all rows.
  replaced_by                 text check (length(replaced_by) = 36),
  -- Brands are spread over databases, and can move from one to another. Every request reads its key, so the row of the key
  -- says where its brand is. NULL in both columns is the normal state.
  --
  -- The number of the database that has the brand now: this one no longer serves it.
  moved_to                    integer check (moved_to between 0 and 3843),
  -- Since when the brand is frozen, because it is being moved: it can be read, and not be written.
  frozen_at                   text check (frozen_at is strftime('%Y-%m-%dT%H:%M:%fZ', frozen_at))
) strict, without rowid;

create index api_keys_by_brand on api_keys (brand_id);
-- For operators, who look for a leaked key and for keys that expire. Clients do not write this table.
create index api_keys_by_prefix on api_keys (prefix);
create index api_keys_by_expiry on api_keys (expires_at) where expires_at is not null;

-- The primary key starts with the brand, and ids sort by time of creation (UUIDv7), so the list of a brand is one range
-- of it.
create table products (
  brand_id                    text not null references brands (id) on delete cascade,
  id                          text not null check (length(id) = 36),
  revision                    text not null check (length(revision) = 36),
  created_at                  text not null check (created_at is strftime('%Y-%m-%dT%H:%M:%fZ', created_at)),
  updated_at                  text not null check (updated_at is strftime('%Y-%m-%dT%H:%M:%fZ', updated_at)),
  change_number               integer not null check (change_number > 0),

  title                       text not null,
  description                 text not null,
  handle                      text not null check (handle <> ''),
  sku                         text,
  price_cents                 integer not null,
  currency_code               text not null,
  discount_percent            real not null,
  margin_percent              real,
  featured                    integer not null check (featured = 0 or featured = 1),
  image_url                   text,
  image_urls                  text not null check (json_valid(image_urls) and json_type(image_urls) = 'array'),
  marketplace_category        text not null,
  service_inventory_quantity  integer not null,
  service_listing_status      text not null,
  store_inventory_quantity    integer not null,
  store_product_id            text check (store_product_id <> ''),
  store_variant_id            text check (store_variant_id <> ''),
  store_status                text,
  source                      text not null,
  sync_status                 text not null,
  last_synced_at              text check (last_synced_at is strftime('%Y-%m-%dT%H:%M:%fZ', last_synced_at)),
  last_sync_error             text,
  source_updated_at           text check (source_updated_at is strftime('%Y-%m-%dT%H:%M:%fZ', source_updated_at)),

  primary key (brand_id, id)
) strict, without rowid;

-- The index for the lookup that the webhooks of a store repeat all day. The other filters scan the rows of the brand: each
-- extra index adds one written row per product, which costs about 1,000 times a row read.
create index products_by_store_product on products (brand_id, store_product_id) where store_product_id is not null;
create index products_by_change on products (brand_id, change_number);

create table coupon_codes (
  brand_id                    text not null references brands (id) on delete cascade,
  id                          text not null check (length(id) = 36),
  revision                    text not null check (length(revision) = 36),
  created_at                  text not null check (created_at is strftime('%Y-%m-%dT%H:%M:%fZ', created_at)),
  updated_at                  text not null check (updated_at is strftime('%Y-%m-%dT%H:%M:%fZ', updated_at)),
  change_number               integer not null check (change_number > 0),

  -- Kept as written. NOCASE compares without regard to the case of A to Z: the collation of the column is also that of its
  -- unique index.
  code                        text not null collate nocase,
  active                      integer not null check (active = 0 or active = 1),
  category                    text not null,
  current_uses                integer not null,
  max_uses                    integer,
  description                 text not null,
  discount_percent            real not null,
  store_discount_id           text check (store_discount_id <> ''),
  sync_status                 text not null,
  last_synced_at              text check (last_synced_at is strftime('%Y-%m-%dT%H:%M:%fZ', last_synced_at)),

  primary key (brand_id, id),
  unique (brand_id, code)
) strict, without rowid;

create index coupon_codes_by_change on coupon_codes (brand_id, change_number);

-- The order of the changes of a brand, for clients that follow them (GET ?since=). Each change to a resource gives it the
-- next number of its brand and collection, and a deletion leaves a tombstone with the next number. D1 has a single writer,
-- so the numbers follow the order of the transactions, without relying on a clock.
create table tombstones (
  brand_id                    text not null references brands (id) on delete cascade,
  collection                  text not null check (length(collection) between 1 and 64),
  change_number               integer not null check (change_number > 0),
  id                          text not null check (length(id) = 36),
  deleted_at                  text not null check (deleted_at is strftime('%Y-%m-%dT%H:%M:%fZ', deleted_at)),

  primary key (brand_id, collection, change_number)
) strict, without rowid;

-- What a POST with an Idempotency-Key did, so that a repeated request has the first answer again. The record with an empty
-- key is the plan of the last push without a key.
--
-- No index on created_at: it would cost one written row per POST, and save the daily sweep only row reads, which cost a
-- thousandth.
create table idempotency_records (
  brand_id                    text not null references brands (id) on delete cascade,
  key                         text not null check (length(key) <= 255 and key not glob '*[^!-~]*'),
  fingerprint                 text not null check (length(fingerprint) = 64 or key = ''),
  -- The try of the request that inserted the record.
  request                     text not null check (length(request) = 36),
  created_at                  text not null check (created_at is strftime('%Y-%m-%dT%H:%M:%fZ', created_at)),
  -- The ids that a POST created, or the plan of a push.
  results                     text not null check (json_valid(results) and json_type(results) = 'array'),

  primary key (brand_id, key)
) strict, without rowid;

-- Every change made with the admin tool, recorded in the transaction of the change. No foreign key, because entries
-- outlive their brand. Entries are few beside what clients write, and operators look for them in these three ways.
create table audit_trail (
  id                          text not null primary key check (length(id) = 36),
  at                          text not null check (at is strftime('%Y-%m-%dT%H:%M:%fZ', at)),
  action                      text not null check (length(action) between 1 and 64 and action not glob '*[^a-z.]*'),
  brand_id                    text check (length(brand_id) = 36),
  key_id                      text check (length(key_id) = 36),
  actor                       text not null check (length(actor) between 1 and 255),
  -- What the act was about besides, such as the name of a deleted brand.
  details                     text not null check (json_valid(details) and json_type(details) = 'object')
) strict, without rowid;

create index audit_trail_by_time on audit_trail (at);
create index audit_trail_by_brand on audit_trail (brand_id, at);
create index audit_trail_by_action on audit_trail (action, at);

-- When the daily job last did its work in this database, and since when it could have: one row. A job that fails every
-- night leaves the old time, and the tool of the operator sees it.
create table daily_job (
  id                          integer not null primary key check (id = 1),
  created_at                  text not null check (created_at is strftime('%Y-%m-%dT%H:%M:%fZ', created_at)),
  done_at                     text check (done_at is strftime('%Y-%m-%dT%H:%M:%fZ', done_at))
) strict, without rowid;

insert into daily_job (id, created_at) values (1, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'));
