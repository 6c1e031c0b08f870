-- What a species is: a bird, another animal, or noise. Below the roots it is what its parent is.
ALTER TABLE species ADD COLUMN species_group text NOT NULL DEFAULT 'bird'
  CHECK (species_group IN ('bird', 'other_animal', 'noise'));
CREATE INDEX species_other_group_idx ON species (species_group) WHERE species_group <> 'bird';

CREATE FUNCTION inherit_species_group() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.rank <> 'root' THEN
    NEW.species_group := coalesce((SELECT species_group FROM species WHERE id = NEW.parent_id), 'bird');
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER species_group_inherited BEFORE INSERT OR UPDATE OF parent_id ON species
  FOR EACH ROW EXECUTE FUNCTION inherit_species_group();

CREATE FUNCTION hand_down_species_group() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE species SET species_group = NEW.species_group
  WHERE parent_id = NEW.id AND species_group <> NEW.species_group;
  RETURN NULL;
END $$;
CREATE TRIGGER species_group_handed_down AFTER UPDATE OF parent_id, species_group ON species
  FOR EACH ROW WHEN (OLD.species_group <> NEW.species_group) EXECUTE FUNCTION hand_down_species_group();
