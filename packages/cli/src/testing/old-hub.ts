import sqlite from 'node-sqlite3-wasm';

/** The tables of the first version of the BirdLense family. */
export const firstLayout = `
  CREATE TABLE species (id INTEGER PRIMARY KEY, name VARCHAR NOT NULL UNIQUE, parent_id INTEGER,
    created_at DATETIME DEFAULT CURRENT_TIMESTAMP NOT NULL, image_url VARCHAR, description VARCHAR,
    active BOOLEAN DEFAULT 0 NOT NULL);
  CREATE TABLE video (id INTEGER PRIMARY KEY, created_at DATETIME DEFAULT CURRENT_TIMESTAMP NOT NULL,
    processor_version VARCHAR, start_time DATETIME, end_time DATETIME, video_path VARCHAR,
    spectrogram_path VARCHAR, favorite BOOLEAN DEFAULT 0 NOT NULL, weather_main VARCHAR,
    weather_description VARCHAR, weather_temp FLOAT, weather_humidity INTEGER, weather_pressure INTEGER,
    weather_clouds INTEGER, weather_wind_speed FLOAT);
  CREATE TABLE species_visit (id INTEGER PRIMARY KEY, species_id INTEGER, start_time DATETIME, end_time DATETIME,
    max_simultaneous INTEGER);
  CREATE TABLE video_species (id INTEGER PRIMARY KEY, video_id INTEGER, species_id INTEGER, species_visit_id INTEGER,
    created_at DATETIME DEFAULT CURRENT_TIMESTAMP NOT NULL, start_time FLOAT, end_time FLOAT, confidence FLOAT,
    source VARCHAR);`;

/** Tables and columns that later versions added. */
export const laterLayout = `
  CREATE TABLE bird_food (id INTEGER PRIMARY KEY, name VARCHAR, description VARCHAR, image_url VARCHAR,
    created_at DATETIME DEFAULT CURRENT_TIMESTAMP, active BOOLEAN DEFAULT 0);
  CREATE TABLE video_bird_food_association (video_id INTEGER, birdfood_id INTEGER, PRIMARY KEY (video_id, birdfood_id));
  CREATE TABLE activity_log (id INTEGER PRIMARY KEY, type VARCHAR, data VARCHAR);
  ALTER TABLE video ADD COLUMN deleted_at DATETIME;
  ALTER TABLE video ADD COLUMN camera_id VARCHAR;
  ALTER TABLE video ADD COLUMN scales_weight_delta_kg FLOAT;
  ALTER TABLE video_species ADD COLUMN detection_provider VARCHAR;
  ALTER TABLE video_species ADD COLUMN track_id INTEGER;
  ALTER TABLE video_species ADD COLUMN frames VARCHAR;
  ALTER TABLE video_species ADD COLUMN individual_nickname VARCHAR;
  ALTER TABLE video_species ADD COLUMN manually_corrected BOOLEAN DEFAULT 0 NOT NULL;`;

type Value = string | number | null;

/** Creates a SQLite database with tables and rows; calls `whileOpen` before it is closed. */
export function buildOldHub(
  file: string,
  layout: string,
  rows: readonly (readonly [table: string, row: Readonly<Record<string, Value>>])[] = [],
  whileOpen: () => void = () => undefined,
): void {
  const database = new sqlite.Database(file);
  try {
    database.exec(layout);
    for (const [table, row] of rows) {
      const placeholders = Object.keys(row).map(() => '?');
      database.run(
        `INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${placeholders.join(', ')})`,
        Object.values(row),
      );
    }
    whileOpen();
  } finally {
    database.close();
  }
}

/** A recording of ten seconds that starts `minute` minutes after 08:00 UTC on 1 May 2025. */
export function anOldVideo(id: number, minute: number, given: Readonly<Record<string, Value>> = {}) {
  const at = (seconds: number) =>
    new Date(Date.UTC(2025, 4, 1, 8, minute, seconds)).toISOString().replace('T', ' ').replace('Z', '000');
  const row = {
    id,
    created_at: at(12),
    processor_version: '1',
    start_time: at(0),
    end_time: at(10),
    video_path: `data/recordings/2025/05/01/${id}/video.mp4`,
    ...given,
  };
  return ['video', row] as const;
}

/** A detection in the first two seconds of a recording. */
export function anOldDetection(
  id: number,
  video_id: number | null,
  species_id: number,
  given: Readonly<Record<string, Value>> = {},
) {
  const row = {
    id,
    video_id,
    species_id,
    start_time: 0,
    end_time: 2,
    confidence: 0.9,
    source: 'video',
    ...given,
  };
  return ['video_species', row] as const;
}

/** Species and a food, with ids that no hub has assigned. */
export const theFamily = [
  ['species', { id: 900_001, name: 'Garden Birds' }],
  ['species', { id: 900_002, name: 'Spotted Testbird', parent_id: 900_001, active: 1, description: 'Rare.' }],
  ['species', { id: 900_003, name: 'Great Tit' }],
  ['species', { id: 900_004, name: 'Nobody Saw It' }],
  ['bird_food', { id: 500, name: 'Nuts of the old hub', active: 1 }],
] as const;
