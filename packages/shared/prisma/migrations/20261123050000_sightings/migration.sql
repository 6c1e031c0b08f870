-- Sightings: recordings without a medium, for which no file is awaited, and a text for people.
ALTER TABLE video DROP CONSTRAINT video_media_check;
ALTER TABLE video ADD CONSTRAINT video_media_check
  CHECK (media IN ('pending', 'ready', 'missing', 'purged', 'none'));
ALTER TABLE video ADD COLUMN note text CHECK (length(note) <= 1000);
