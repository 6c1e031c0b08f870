-- Imports name their figures as scans do.
UPDATE job SET result = result - 'taken' - 'known' || jsonb_build_object('imported', result -> 'taken', 'already_known', result -> 'known')
WHERE result ? 'taken';
