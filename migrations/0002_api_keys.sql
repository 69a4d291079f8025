-- Keys are looked up by their SHA-256 on every request; the key itself is never stored.
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
  -- Brands are spread over databases, and can move from one to another. Every request reads its key, so the key's row says
  -- where its brand is. NULL in both columns is the normal state.
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
