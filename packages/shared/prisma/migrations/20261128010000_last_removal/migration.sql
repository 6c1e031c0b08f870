-- When a listed file was last removed, to recognise that none can be removed.
ALTER TABLE storage_state ADD COLUMN removed_at timestamptz(3);
