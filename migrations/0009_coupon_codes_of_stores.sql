-- Coupon codes as stores have them: longer, with spaces and letters beyond ASCII, and with a discount of 0 percent.
--
-- SQLite changes no CHECK, so the rows move to a new table, with their change numbers, revisions and times. That is one
-- transaction: no write comes between, and the running code finds a table of the same name with the same columns and
-- indexes. SQLite renames the index of the unique codes with the table.
--
-- docs/deploying.md says how long it takes, and how a large database copies its rows before: they are there then.
create table if not exists new_coupon_codes (
  brand_id                    text not null references brands (id) on delete cascade,
  id                          text not null check (length(id) = 36),
  revision                    text not null check (length(revision) = 36),
  created_at                  text not null check (created_at is strftime('%Y-%m-%dT%H:%M:%fZ', created_at)),
  updated_at                  text not null check (updated_at is strftime('%Y-%m-%dT%H:%M:%fZ', updated_at)),
  change_number               integer not null check (change_number > 0),

  -- Kept as written. NOCASE compares without regard to the case of A to Z: the column's collation is also that of its
  -- unique index.
  code                        text not null collate nocase check (length(code) between 1 and 255 and code = trim(code)),
  active                      integer not null check (active = 0 or active = 1),
  category                    text not null check (length(category) between 1 and 64 and category not glob '*[^A-Z0-9_]*' and category glob '[A-Z]*'),
  current_uses                integer not null check (current_uses between 0 and 2147483647),
  max_uses                    integer check (max_uses between 1 and 2147483647),
  description                 text not null check (length(description) <= 1000),
  discount_percent            real not null check (discount_percent between 0 and 100 and round(discount_percent, 2) = discount_percent),
  store_discount_id           text check (length(store_discount_id) between 1 and 255),
  sync_status                 text not null check (sync_status = 'SYNCED' or sync_status = 'PENDING' or sync_status = 'FAILED' or sync_status = 'NOT_LINKED'),
  last_synced_at              text check (last_synced_at is strftime('%Y-%m-%dT%H:%M:%fZ', last_synced_at)),

  primary key (brand_id, id),
  unique (brand_id, code)
) strict, without rowid;

insert into new_coupon_codes
  select * from coupon_codes
  where not exists (select 1 from new_coupon_codes as copy where copy.brand_id = coupon_codes.brand_id and copy.id = coupon_codes.id);

drop table coupon_codes;
alter table new_coupon_codes rename to coupon_codes;

create index coupon_codes_by_change on coupon_codes (brand_id, change_number);
