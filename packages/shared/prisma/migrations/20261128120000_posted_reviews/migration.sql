-- Whether the program that posted a detection had reviewed it, which applies again when all verdicts are reverted.
ALTER TABLE detection ADD COLUMN posted_reviewed boolean NOT NULL DEFAULT false;
UPDATE detection SET posted_reviewed = true WHERE reviewed AND reviewed_at IS NULL;
