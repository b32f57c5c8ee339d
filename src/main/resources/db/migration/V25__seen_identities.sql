-- What the provider of identities has said last about each subject. A token that the subject has made has no other right.

-- The right in the claims of the newest token of the provider; 'none': the claims give no right; null: not known yet.
alter table account_identity add column seen_right text;
alter table account_identity
    add constraint account_identity_seen_right_is_known check (seen_right in ('none', 'reader', 'writer', 'admin'));

-- When the provider issued this token. A subject that the service has known before begins now.
alter table account_identity add column seen_at timestamptz not null default now();

-- A token that a subject has made expires.
update api_token set expires = now() + interval '90 days'
where identity_id is not null and (expires is null or expires > now() + interval '90 days');
