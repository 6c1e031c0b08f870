-- Unlocked browsers. The cookie's token is not kept, only its SHA-256.
CREATE TABLE session (
  token_hash bytea PRIMARY KEY,
  role       text NOT NULL CHECK (role IN ('contributor', 'admin')),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  used_at    timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX session_created_at_idx ON session (created_at);

-- Attempts to unlock that failed or are under way, by client address (IPv6 by /64).
CREATE TABLE unlock_attempt (
  id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  address      text NOT NULL,
  attempted_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX unlock_attempt_address_attempted_at_idx ON unlock_attempt (address, attempted_at);
CREATE INDEX unlock_attempt_attempted_at_idx ON unlock_attempt (attempted_at);
