-- The species tree has one root: the other generic species are below it.
-- Visits that only a migration can make untrue are made anew by the job for visits, which this asks for.
ALTER TABLE visit_rule ADD COLUMN is_outdated boolean NOT NULL DEFAULT false;

WITH root AS (
  SELECT id FROM species WHERE rank = 'root' ORDER BY id LIMIT 1
), moved AS (
  UPDATE species SET parent_id = root.id FROM root
  WHERE species.generic AND species.parent_id IS NULL AND species.merged_into IS NULL AND species.id <> root.id
  RETURNING species.id
)
UPDATE visit_rule SET
  tree_revision = tree_revision + 1,
  -- A heard run of the root belongs to a visit of a species below it.
  is_outdated = EXISTS (
    SELECT FROM species_visit heard JOIN root ON heard.species_id = root.id AND heard.video_count = 0
    JOIN species_visit seen ON seen.species_id IN (SELECT id FROM moved)
      AND seen.start_time <= heard.end_time + gap_ms * interval '1 ms'
      AND seen.end_time >= heard.start_time - gap_ms * interval '1 ms')
WHERE EXISTS (SELECT FROM moved);
