-- Each deleted row of the weather looks for its recordings.
CREATE INDEX video_weather_id_idx ON video (weather_id) WHERE weather_id IS NOT NULL;
