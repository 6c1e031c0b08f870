import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';

/** A row of WhosAtMyFeeder. */
export interface WamfDetection {
  /** Local time without an offset: `2026-05-01 08:00:03.250000`. */
  readonly detectionTime: string;
  readonly score?: number;
  /** A scientific name. */
  readonly displayName?: string;
  readonly frigateEvent: string;
  readonly camera?: string;
}

/** The database of a WhosAtMyFeeder. */
export interface WhosAtMyFeeder {
  readonly databaseFile: string;
  add(rows: readonly WamfDetection[]): void;
  remove(): void;
}

const layout = `CREATE TABLE detections (id INTEGER PRIMARY KEY AUTOINCREMENT, detection_time TIMESTAMP NOT NULL,
  detection_index INTEGER NOT NULL, score REAL NOT NULL, display_name TEXT NOT NULL, category_name TEXT NOT NULL,
  frigate_event TEXT NOT NULL UNIQUE, camera_name TEXT NOT NULL)`;
const insert = `INSERT INTO detections (detection_time, detection_index, score, display_name, category_name,
  frigate_event, camera_name) VALUES (?, 964, ?, ?, ?, ?, ?)`;

/** Creates an empty database in a new folder, by default in the folder for temporary files. */
export function createWhosAtMyFeeder({ parent = tmpdir() } = {}): WhosAtMyFeeder {
  const folder = mkdtempSync(join(parent, 'whosatmyfeeder-'));
  const databaseFile = join(folder, 'speciesid.db');
  const change = (apply: (database: Database.Database) => void) => {
    const database = new Database(databaseFile, { timeout: 10_000 });
    try {
      apply(database);
    } finally {
      database.close();
    }
  };
  change((database) => database.exec(layout));
  return {
    databaseFile,
    add: (rows) =>
      change((database) => {
        const statement = database.prepare(insert);
        database.exec('BEGIN');
        for (const {
          detectionTime,
          score = 0.83,
          displayName = 'Parus major',
          frigateEvent,
          camera = 'birdcam',
        } of rows) {
          statement.run(detectionTime, score, displayName, displayName, frigateEvent, camera);
        }
        database.exec('COMMIT');
      }),
    remove: () => rmSync(folder, { recursive: true }),
  };
}
