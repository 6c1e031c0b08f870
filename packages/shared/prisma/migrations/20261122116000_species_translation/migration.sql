-- What the encyclopedias of other languages than English say of species; that of English is species_info.
CREATE TABLE species_translation (
  species_id   integer NOT NULL REFERENCES species (id),
  language     text NOT NULL CHECK (language IN ('de', 'ru')),
  state        text NOT NULL CHECK (state IN ('found', 'missing', 'failed')),
  -- The scientific name that it was asked for: with another it is asked again.
  asked_for    text NOT NULL,
  description  text,
  source_url   text,
  licence      text,
  fetched_at   timestamptz(3) NOT NULL,
  ask_again_at timestamptz(3) NOT NULL,
  PRIMARY KEY (species_id, language)
);
