-- Whether the daily job has left work over, because a run may make only so many queries.
alter table daily_job add column work_left integer not null default 0 check (work_left in (0, 1));
