-- Brands are spread over databases, and can move from one to another. Every request reads its key, so the key's row says
-- where its brand is. NULL in both columns is the normal state.

-- The number of the database that has the brand now: this one no longer serves it.
alter table api_keys add column moved_to integer check (moved_to between 0 and 3843);
-- Since when the brand is frozen, while a move ends: it can be read, and not be written.
alter table api_keys add column frozen_at text check (frozen_at is strftime('%Y-%m-%dT%H:%M:%fZ', frozen_at));
