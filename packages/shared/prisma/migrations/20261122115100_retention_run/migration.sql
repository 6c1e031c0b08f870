-- What the last run of retention did.
ALTER TABLE storage_state ADD COLUMN retention_at timestamptz(3), ADD COLUMN retention_run jsonb;
