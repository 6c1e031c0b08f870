-- Jobs that do not go from recording to recording say themselves how far they are, and what came of them.
ALTER TABLE job
  ADD COLUMN processed integer NOT NULL DEFAULT 0,
  ADD COLUMN result jsonb;
UPDATE job SET processed = generated + failed + skipped;

-- When the file of a missing recording, of `file_size` bytes, was last written that nobody could read.
ALTER TABLE video ADD COLUMN unreadable_at timestamptz(3);

-- Missing recordings whose file nobody has seen: it may still come.
CREATE INDEX video_unseen_idx ON video (updated_at, id) WHERE media = 'missing' AND file_size IS NULL;
