-- Accounts make tokens of their own, and a token may be limited to some workspaces.

-- The workspaces in which the token may write; null: all.
alter table api_token add column workspaces bigint[];
alter table api_token add constraint api_token_workspaces_are_filled check (cardinality(workspaces) > 0);

-- For the tokens of one account.
create index api_token_account_idx on api_token (account_id, id);
