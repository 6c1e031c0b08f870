-- Sex, age and season of the bird, as the detector's label says them.
ALTER TABLE detection ADD COLUMN plumage text CHECK (length(plumage) <= 60);
