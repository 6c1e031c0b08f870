-- What services outside the hub answered, kept for all processes and over restarts. A row is also the claim of the one
-- that asks: until `claimed_until` nobody else does.
CREATE TABLE outside_answer (
  service       text NOT NULL,
  key           text NOT NULL,
  -- The last good answer and when it came; neither until there is one.
  value         jsonb,
  fetched_at    timestamptz(3),
  ask_again_at  timestamptz(3) NOT NULL,
  has_failed    boolean NOT NULL DEFAULT false,
  claimed_until timestamptz(3),
  PRIMARY KEY (service, key)
);
