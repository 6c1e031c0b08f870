-- The row of the settings is there from the beginning, so that new hubs got the rule of upgraded ones: each visit. A hub
-- without recordings, whose settings nobody has changed, begins with the rare messages.
WITH replaced AS (
  DELETE FROM alert_rule
  WHERE rule = '{"name": "Every visit", "enabled": true, "when": "any_visit"}' AND NOT EXISTS (SELECT FROM video)
    AND NOT EXISTS (SELECT FROM setting WHERE key = 'hub' AND version > 0)
  RETURNING id
)
INSERT INTO alert_rule (position, rule)
SELECT position, rule::jsonb FROM (VALUES
  (1, '{"name": "New at the feeder", "enabled": true, "when": "first_ever"}'),
  (2, '{"name": "First of the day", "enabled": true, "when": "first_of_day"}')) fresh (position, rule)
WHERE EXISTS (SELECT FROM replaced);
