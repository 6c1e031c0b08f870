-- What an encyclopedia says of species, whose words and picture are also in `species` where people gave none. A species
-- that it knows nothing of has a row without them.
CREATE TABLE species_info (
  species_id   integer PRIMARY KEY REFERENCES species (id),
  state        text NOT NULL CHECK (state IN ('found', 'missing', 'failed')),
  -- The names that it was asked for: with others it is asked again.
  asked_for    text NOT NULL,
  description  text,
  image_url    text,
  source_url   text,
  licence      text,
  fetched_at   timestamptz(3) NOT NULL,
  ask_again_at timestamptz(3) NOT NULL
);
