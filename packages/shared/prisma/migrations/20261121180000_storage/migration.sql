-- Bytes of the video file, once it was seen; of one that was cleared, what it had.
ALTER TABLE video ADD COLUMN file_size bigint CHECK (file_size >= 0);
-- What may be cleared, oldest first, however long the history of what was.
CREATE INDEX video_with_file_idx ON video (start_time, id) WHERE media IN ('pending', 'ready');

-- Files by the quarter of an hour that their recordings start in. Since 2000 every zone is off UTC by whole quarters,
-- so a day of any zone is made of them, and nothing is made anew when the zone of the hub changes.
CREATE TABLE media_quarter (
  begins_at timestamptz(3) PRIMARY KEY,
  files     integer NOT NULL,
  bytes     bigint NOT NULL
);

-- What was made of a recording goes with its files: a row names a file of the recordings tree, or a recording.
ALTER TABLE file_removal ALTER COLUMN path DROP NOT NULL;
ALTER TABLE file_removal ADD COLUMN derived_of bigint;
ALTER TABLE file_removal ADD CHECK (num_nonnulls(path, derived_of) = 1);

-- Whether the disk is short of space and nothing is left that may be cleared; one row.
CREATE TABLE storage_state (
  id         smallint PRIMARY KEY DEFAULT 1 CHECK (id = 1),
  exhausted  boolean NOT NULL DEFAULT false,
  changed_at timestamptz(3) NOT NULL DEFAULT now()
);
INSERT INTO storage_state DEFAULT VALUES;
