-- Visits by month, kept with visit_day. Year 0 holds all years together, so that what is asked of all of them costs the
-- same whatever the history.
CREATE TABLE visit_month (
  year         smallint NOT NULL CHECK (year >= 0),
  month        smallint NOT NULL CHECK (month BETWEEN 1 AND 12),
  species_id   integer NOT NULL REFERENCES species (id),
  visits       integer NOT NULL,
  individuals  integer NOT NULL,
  video_visits integer NOT NULL,
  PRIMARY KEY (year, month, species_id)
) WITH (fillfactor = 50);
INSERT INTO visit_month (year, month, species_id, visits, individuals, video_visits)
SELECT span.year, extract(month FROM day), species_id, sum(visits), sum(individuals), sum(video_visits)
FROM visit_day CROSS JOIN LATERAL (VALUES (extract(year FROM day)), (0)) AS span (year)
GROUP BY 1, 2, 3;

-- What nobody has reviewed, by time; which of it is doubtful depends on a setting, so that is read from the index.
CREATE INDEX detection_unreviewed_idx ON detection (start_time, id) INCLUDE (end_time, confidence, species_id)
  WHERE NOT reviewed;
