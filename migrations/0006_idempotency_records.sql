-- What a POST with an Idempotency-Key did, so that a repeated request has the first answer again. The record with an empty
-- key is the plan of the brand's last push without a key.
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
