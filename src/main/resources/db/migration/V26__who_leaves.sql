-- An account that has left: it is disabled, renamed, or its personal data are erased.

-- Tokens and subjects of a disabled account are refused. Its datasets stay as they are.
alter table account add column disabled boolean not null default false;

-- As in V10. A rename of an account changes each dataset of it by the foreign key, and no statement adds 1 to the version there:
-- the tag of the dataset has to differ with its field user. A mirror writes the version of its origin.
create or replace function touch_dataset() returns trigger language plpgsql set search_path from current as $$
begin
    if current_setting('dataset.keep_times', true) is distinct from 'on' then
        new.updated_at := now();
        if new.owner_name <> old.owner_name and new.version = old.version then
            new.version := old.version + 1;
        end if;
    end if;
    return new;
end
$$;
