-- Where a mirror stands in the feed of changes of its origin. The position is written in the transaction that writes the changes
-- before it.
create table mirror_position (
    origin   text not null,
    -- null: nothing is copied yet.
    cursor   text,
    -- Whether all changes from before the first page have been read once, so that the mirror is a copy.
    complete boolean not null default false,
    only_row boolean primary key default true check (only_row)
);
