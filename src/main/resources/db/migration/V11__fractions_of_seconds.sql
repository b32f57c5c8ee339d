-- The time of capture keeps the fractions of a second that a client or an import gives. Orders, filters and /stac know them; the
-- listing shows whole seconds. The table is not rewritten, but its check is made again, which reads the table once.
alter table dataset alter column captured_date type timestamptz;
