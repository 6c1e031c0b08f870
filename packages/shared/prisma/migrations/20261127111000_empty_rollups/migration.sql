-- Rollups without a visit are deleted from here on, like those that are left from deleted, corrected and merged birds here.
-- The lock keeps writers out, which lock the same rows in another order.
SELECT pg_advisory_xact_lock(7201, 0);
DELETE FROM visit_day WHERE (visits, individuals, video_visits, detections, seconds) = (0, 0, 0, 0, 0);
DELETE FROM visit_month WHERE (visits, individuals, video_visits) = (0, 0, 0);
DELETE FROM species_total WHERE (visits, individuals) = (0, 0);
