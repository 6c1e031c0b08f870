-- Names are compared with ss for ß and е for ё from here on. Where two names become one, that of a species which only a
-- label had created gives way; what is left of such species is offered for tidying.
CREATE TEMPORARY TABLE folded_name ON COMMIT DROP AS
SELECT key, replace(replace(key, 'ß', 'ss'), 'ё', 'е') AS folded, species_id FROM species_alias WHERE key ~ '[ßё]';

DELETE FROM species_alias alias USING folded_name, species own, species other
WHERE alias.key = folded_name.folded AND own.id = alias.species_id AND other.id = folded_name.species_id
  AND own.parent_id IS NULL AND own.scientific_name IS NULL AND own.ebird_code IS NULL AND NOT own.generic
  AND other.parent_id IS NOT NULL;

INSERT INTO species_alias (key, species_id)
SELECT folded, species_id FROM folded_name ORDER BY key ON CONFLICT DO NOTHING;

DELETE FROM species_alias WHERE key IN (SELECT key FROM folded_name);

UPDATE checklist_species
SET keys = (SELECT array_agg(DISTINCT replace(replace(key, 'ß', 'ss'), 'ё', 'е')) FROM unnest(keys) AS key)
WHERE EXISTS (SELECT FROM unnest(keys) AS key WHERE key ~ '[ßё]');

UPDATE species_merge SET moved = replace(replace(moved::text, 'ß', 'ss'), 'ё', 'е')::jsonb
WHERE moved::text ~ '[ßё]';
