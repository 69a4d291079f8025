-- Moves of brands between databases. Each database that takes part has a row: of the brand's newest move there. Whether a
-- brand is at home here is decided by this row, not by its keys. The API never reads this table.
--
-- No foreign key, because the row outlives the brand: the copy of a brand that is deleted must still be found.
create table moves (
  brand_id                    text not null primary key check (length(brand_id) = 36),
  id                          text not null check (length(id) = 36),
  -- Each move of a brand has the next number, in all databases that took part.
  generation                  integer not null check (generation > 0),
  -- Whether the brand leaves this database, or arrives, and the number of the other one.
  role                        text not null check (role = 'out' or role = 'in'),
  peer                        integer not null check (peer between 0 and 3843),
  -- Each run of the mover raises it, so that late calls of earlier runs do nothing.
  attempt                     integer not null check (attempt >= 0),
  -- Out: what drives the move: an instance of the mover's Workflow. Another one ends when it finds that it is not it.
  driver                      text check (length(driver) between 1 and 100),
  -- Out: copying, gone, tidied; or copying, aborted, over. In: clearing, copying, home; or aborted.
  state                       text not null check (
    state = 'copying' or state = 'aborted'
      or role = 'out' and (state = 'gone' or state = 'tidied' or state = 'over')
      or role = 'in' and (state = 'clearing' or state = 'home')),
  -- When the state changed last.
  changed_at                  text not null check (changed_at is strftime('%Y-%m-%dT%H:%M:%fZ', changed_at)),
  -- When it was noted here.
  begun_at                    text not null check (begun_at is strftime('%Y-%m-%dT%H:%M:%fZ', begun_at)),
  -- Who began the move.
  actor                       text not null check (length(actor) between 1 and 255),
  -- Why it was given up.
  reason                      text check (length(reason) between 1 and 255),
  -- How often something had changed when the move was to be committed.
  failed_commits              integer not null check (failed_commits >= 0),
  -- Out: for how long writes were refused, in milliseconds.
  frozen_ms                   integer not null check (frozen_ms >= 0),

  -- In: whether the brand's row and keys were here before, and stay if the move is given up.
  is_return                   integer not null check (is_return = 0 or is_return = 1),
  -- In: how far the copy is, and how far it was compared, by the name of each list.
  copied                      text not null check (json_valid(copied) and json_type(copied) = 'object'),
  verified                    text not null check (json_valid(verified) and json_type(verified) = 'object'),
  -- In: what was copied so far.
  copied_rows                 integer not null check (copied_rows >= 0),
  copied_bytes                integer not null check (copied_bytes >= 0)
) strict, without rowid;
