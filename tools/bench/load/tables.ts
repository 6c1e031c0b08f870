/** The tables that grow with the data set, with the columns that are loaded. */
export const loadedTables = {
  weather_snapshot: 'id, source, main, description, temp, humidity, pressure, clouds, wind_speed, fetched_at',
  video:
    'id, camera_id, video_path, processor_version, start_time, end_time, media, file_size, weather_id, detection_count, content_hash, created_at, updated_at',
  video_food: 'video_id, food_id',
  species_visit: 'id, species_id, start_time, end_time, max_simultaneous, detection_count, video_count',
  detection:
    'id, video_id, species_id, visit_id, start_time, end_time, start_offset, end_offset, confidence, source, track_id, detection_provider, posted_name',
  detection_track: 'detection_id, frames',
  visit_day: 'day, species_id, visits, individuals, video_visits, detections, seconds',
} as const;

export type LoadedTable = keyof typeof loadedTables;

/** Rows of each table, as lines of COPY's text format. */
export type TableLines = Readonly<Record<LoadedTable, string>>;
