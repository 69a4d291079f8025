-- The order of a brand's changes, for clients that follow them (GET ?since=). Each change to a resource gives it the next
-- number of its brand and collection; a deletion leaves a tombstone with the next number. D1 has a single writer, so the
-- numbers follow the order of the transactions, without relying on a clock.
create table tombstones (
  brand_id                    text not null references brands (id) on delete cascade,
  collection                  text not null check (length(collection) between 1 and 64),
  change_number               integer not null check (change_number > 0),
  id                          text not null check (length(id) = 36),
  deleted_at                  text not null check (deleted_at is strftime('%Y-%m-%dT%H:%M:%fZ', deleted_at)),

  primary key (brand_id, collection, change_number)
) strict, without rowid;
