-- The demo that was started from the page; one row while there is one.
CREATE TABLE demo (
  id smallint NOT NULL DEFAULT 1 CONSTRAINT demo_one_row CHECK (id = 1),
  state text NOT NULL CONSTRAINT demo_state CHECK (state IN ('filling', 'live', 'removing')),
  options jsonb NOT NULL,
  brought jsonb NOT NULL DEFAULT '{}',
  done integer NOT NULL DEFAULT 0,
  total integer NOT NULL DEFAULT 0,
  message text,
  started_at timestamptz(3) NOT NULL,
  ready_at timestamptz(3),
  CONSTRAINT demo_pkey PRIMARY KEY (id)
);

-- Its recordings. No reference: a row stays until all that the recording left behind is deleted.
CREATE TABLE demo_recording (
  video_id bigint NOT NULL,
  CONSTRAINT demo_recording_pkey PRIMARY KEY (video_id)
);
