-- Whether a token was created while no admin password was set; the first password revokes such tokens.
ALTER TABLE access_token ADD COLUMN unprotected boolean NOT NULL DEFAULT false;
UPDATE access_token SET unprotected = true
WHERE coalesce((SELECT value #>> '{general,settings_password}' FROM setting WHERE key = 'hub'), '') = '';
