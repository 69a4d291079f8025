-- What a POST with an Idempotency-Key created. A replay rebuilds its response from the repeated request and this
-- record. No index on created_at: it would cost one written row per POST, and save the daily sweep only row reads,
-- which cost a thousandth.
create table idempotency_records (
  brand_id                    text not null references brands (id) on delete cascade,
  key                         text not null check (length(key) between 1 and 255 and key not glob '*[^!-~]*'),
  fingerprint                 text not null check (length(fingerprint) = 64),
  ids                         text not null check (json_valid(ids) and json_type(ids) = 'array'),
  created_at                  text not null check (created_at is strftime('%Y-%m-%dT%H:%M:%fZ', created_at)),

  primary key (brand_id, key)
) strict, without rowid;
