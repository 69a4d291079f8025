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
