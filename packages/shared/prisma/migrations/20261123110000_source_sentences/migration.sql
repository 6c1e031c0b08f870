-- What is said of sources, as codes with values that pages translate: [{"code", "values"}]. The English text stays beside it.
ALTER TABLE source ADD COLUMN message_said jsonb;
ALTER TABLE source_dropped ADD COLUMN said jsonb;
