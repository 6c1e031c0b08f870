-- Texts about species in any language of two letters; which ones are fetched is for the service to say.
ALTER TABLE species_translation DROP CONSTRAINT species_translation_language_check;
ALTER TABLE species_translation ADD CONSTRAINT species_translation_language_check CHECK (language ~ '^[a-z]{2}$');
