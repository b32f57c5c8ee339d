-- When a dataset was created. Datasets from before this migration have no value: the time of their first change is not known.
alter table dataset add column created_at timestamptz;
alter table dataset alter created_at set default now();
