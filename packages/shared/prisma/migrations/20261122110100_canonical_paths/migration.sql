-- The paths of recordings have one spelling: with data/recordings/ in front. Of two that name one file under one camera
-- the other one stays as it is, as does one whose new spelling a deleted recording has.
UPDATE video SET video_path = 'data/recordings/' || video_path
WHERE NOT starts_with(video_path, 'data/recordings/')
  AND NOT EXISTS (SELECT FROM video other
    WHERE other.camera_id = video.camera_id AND other.video_path = 'data/recordings/' || video.video_path)
  AND NOT EXISTS (SELECT FROM deleted_video deleted
    WHERE deleted.camera_id = video.camera_id AND deleted.video_path = 'data/recordings/' || video.video_path);

UPDATE deleted_video SET video_path = 'data/recordings/' || video_path
WHERE NOT starts_with(video_path, 'data/recordings/')
  AND NOT EXISTS (SELECT FROM deleted_video other
    WHERE other.camera_id = deleted_video.camera_id AND other.video_path = 'data/recordings/' || deleted_video.video_path)
  AND NOT EXISTS (SELECT FROM video
    WHERE video.camera_id = deleted_video.camera_id AND video.video_path = 'data/recordings/' || deleted_video.video_path);

UPDATE video SET spectrogram_path = 'data/recordings/' || spectrogram_path
WHERE NOT starts_with(spectrogram_path, 'data/recordings/');
