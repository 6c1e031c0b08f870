import type sqlite from 'node-sqlite3-wasm';
import { idOf, type OldRecording, type OldRow } from './old-rows.js';

/** The greatest ids of the old tables, up to what ids may be here. */
export interface OldIds {
  readonly video: number;
  readonly detection: number;
  readonly species: number;
  readonly bird_food: number;
}

/** Ids above it are not kept: those of species end a little higher. */
const greatestId = 2_000_000_000;

const foodLinks = 'video_bird_food_association';

/** The database of an old hub, read row by row; tables that its version does not have are empty. */
export class OldHub {
  readonly #database: sqlite.Database;
  readonly #tables: ReadonlySet<unknown>;

  constructor(database: sqlite.Database) {
    this.#database = database;
    const tables = this.#all(`SELECT name FROM sqlite_master WHERE type = 'table'`);
    this.#tables = new Set(tables.map(({ name }) => name));
    database.exec('CREATE INDEX birdhub_detections ON video_species (video_id)');
    if (this.#tables.has(foodLinks)) database.exec(`CREATE INDEX birdhub_foods ON ${foodLinks} (video_id)`);
  }

  readIds(): OldIds {
    const greatest = (table: string) => {
      if (!this.#columnsOf(table).has('id')) return 0;
      const [row = {}] = this.#all(`SELECT max(id) AS id FROM ${table} WHERE id <= ${greatestId}`);
      return Math.max(0, idOf(row, 'id') ?? 0);
    };
    return {
      video: greatest('video'),
      detection: greatest('video_species'),
      species: greatest('species'),
      bird_food: greatest('bird_food'),
    };
  }

  /** All species, and the ids of those that were detected. */
  readSpecies(): { readonly rows: readonly OldRow[]; readonly detected: ReadonlySet<number> } {
    const detected = this.#all('SELECT DISTINCT species_id FROM video_species');
    const ids = detected.flatMap((row) => idOf(row, 'species_id') ?? []);
    return { rows: this.#all('SELECT * FROM species'), detected: new Set(ids) };
  }

  readFoods(): readonly OldRow[] {
    return this.#tables.has('bird_food') ? this.#all('SELECT * FROM bird_food ORDER BY id') : [];
  }

  /** How many detections are of a recording that there is not. */
  countOrphans(): number {
    const [row = {}] = this.#all(
      'SELECT count(*) AS count FROM video_species WHERE video_id IS NULL OR video_id NOT IN (SELECT id FROM video)',
    );
    return idOf(row, 'count') ?? 0;
  }

  /** The recordings in the order of their starts, so many at a time. */
  *readRecordings(atOnce: number): Generator<OldRecording[]> {
    const videos = this.#database.prepare('SELECT * FROM video ORDER BY start_time, id');
    try {
      let slice: OldRecording[] = [];
      for (const video of videos.iterate() as Iterable<OldRow>) {
        slice.push(this.#readRecording(video));
        if (slice.length < atOnce) continue;
        yield slice;
        slice = [];
      }
      if (slice.length) yield slice;
    } finally {
      videos.finalize();
    }
  }

  #readRecording(video: OldRow): OldRecording {
    const id = idOf(video, 'id') ?? null;
    const detections = this.#all('SELECT * FROM video_species WHERE video_id = ? ORDER BY rowid', id);
    if (!this.#tables.has(foodLinks)) return { video, detections, foods: [] };
    const links = this.#all(`SELECT birdfood_id FROM ${foodLinks} WHERE video_id = ?`, id);
    return { video, detections, foods: links.flatMap((link) => idOf(link, 'birdfood_id') ?? []) };
  }

  #columnsOf(table: string): ReadonlySet<unknown> {
    return new Set(this.#all('SELECT name FROM pragma_table_info(?)', table).map(({ name }) => name));
  }

  #all(statement: string, value?: string | number | null): OldRow[] {
    return this.#database.all(statement, value === undefined ? [] : [value]) as OldRow[];
  }
}
