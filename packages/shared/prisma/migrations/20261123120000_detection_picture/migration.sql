-- What is measured once of the picture of a detection, when it is made.
CREATE TABLE detection_picture (
  detection_id bigint PRIMARY KEY REFERENCES detection (id) ON DELETE CASCADE,
  -- Those of the detection, for the indexes.
  species_id   integer NOT NULL,
  start_time   timestamptz(3) NOT NULL,
  -- Its frame, from the start of the recording.
  seconds      double precision NOT NULL,
  -- Of the picture in pixels.
  width        integer NOT NULL CHECK (width > 0),
  height       integer NOT NULL CHECK (height > 0),
  -- Share of the frame that the box of the bird covers; null without a box.
  area         real CHECK (area BETWEEN 0 AND 1),
  sharpness    real NOT NULL CHECK (sharpness BETWEEN 0 AND 1),
  -- From size and sharpness, 0 to 1.
  quality      real NOT NULL CHECK (quality BETWEEN 0 AND 1),
  thumbhash    text NOT NULL CHECK (length(thumbhash) <= 60)
);
CREATE INDEX detection_picture_quality_idx ON detection_picture (species_id, quality DESC, start_time);
CREATE INDEX detection_picture_time_idx ON detection_picture (species_id, start_time);

CREATE FUNCTION follow_detection() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE detection_picture SET species_id = NEW.species_id, start_time = NEW.start_time WHERE detection_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER detection_picture_follows AFTER UPDATE OF species_id, start_time ON detection
  FOR EACH ROW WHEN (OLD.species_id <> NEW.species_id OR OLD.start_time <> NEW.start_time)
  EXECUTE FUNCTION follow_detection();

CREATE INDEX video_favorite_idx ON video (start_time) WHERE favorite;

-- The pictures of a recording whose file was cleared are gone with it.
CREATE FUNCTION forget_pictures() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM detection_picture USING detection WHERE detection.id = detection_id AND video_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER detection_picture_purged AFTER UPDATE OF media ON video
  FOR EACH ROW WHEN (NEW.media = 'purged' AND OLD.media <> 'purged') EXECUTE FUNCTION forget_pictures();
