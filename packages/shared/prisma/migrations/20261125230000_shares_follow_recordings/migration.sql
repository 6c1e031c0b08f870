-- A link to a recording goes with it.
DELETE FROM share WHERE video_id IS NOT NULL AND NOT EXISTS (SELECT FROM video WHERE video.id = video_id);
ALTER TABLE share ADD CONSTRAINT share_video_id_fkey FOREIGN KEY (video_id) REFERENCES video (id) ON DELETE CASCADE;
CREATE INDEX share_video_id_idx ON share (video_id);
