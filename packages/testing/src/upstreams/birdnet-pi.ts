import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';
import Database from 'libsql';
import { type Handler, type StubServer, startStubServer } from '../stub-server.js';
import { SampleMedia } from './sample-media.js';
import { readWallClock } from './station-time.js';

/** Options of {@link startBirdNetPi}. */
export interface BirdNetPiStart {
  /** The zone of its clock. Default UTC. */
  readonly timezone?: string;
  readonly extension?: 'mp3' | 'wav' | 'flac' | 'm4a';
  /** Parent of its folder. Default: the folder for temporary files. */
  readonly parent?: string;
}

/** A detection that a test adds. */
export interface NewBirdNetPiDetection {
  readonly scientificName?: string;
  readonly commonName?: string;
  /** The start of the detection in ms since the epoch; the row contains its local time in whole seconds. */
  readonly at?: number;
  /** The local time, for times that the clock repeats or skips. */
  readonly clock?: { readonly date: string; readonly time: string };
  readonly confidence?: number;
  /** The number of the stream; undefined for its own microphone. */
  readonly rtsp?: number;
  /** Length of the clip. */
  readonly seconds?: number;
  /** If false, there is a row but no file. */
  readonly hasClip?: boolean;
}

/** A row of the table. */
export interface BirdNetPiRow {
  readonly rowid: number;
  readonly Date: string;
  readonly Time: string;
  readonly Sci_Name: string;
  readonly Com_Name: string;
  readonly Confidence: number;
  readonly File_Name: string;
}

/** A detection that the test can change. */
export interface BirdNetPiBird {
  readonly rowid: number;
  /** The initial path of its clip below `By_Date`. */
  readonly clip: string;
  /** Renames row and file, as a user may. Older versions set the confidence to 0, newer ones to 1.001. */
  changeName(scientificName: string, commonName: string, confidence?: number): void;
  /** Deletes its file, as the purge does when the disk is full. */
  purge(): void;
  /** Deletes its row and its file. */
  delete(): void;
}

/** A BirdNET-Pi: its database, its folder of clips, and its web server. */
export interface BirdNetPi extends StubServer {
  /** `birds.db` */
  readonly databaseFile: string;
  /** The folder that the web server serves; it contains `By_Date`. */
  readonly clipFolder: string;
  hear(bird?: NewBirdNetPiDetection): Promise<BirdNetPiBird>;
  /** Adds many rows without clips in one transaction. */
  hearMany(birds: readonly NewBirdNetPiDetection[]): void;
  /** Returns all rows, oldest first. */
  list(): BirdNetPiRow[];
  /** Rewrites all rows with other row ids, as the restore of a backup does. */
  restoreBackup(): void;
}

const layout = `CREATE TABLE detections (Date DATE, Time TIME, Sci_Name VARCHAR(100) NOT NULL,
  Com_Name VARCHAR(100) NOT NULL, Confidence FLOAT, Lat FLOAT, Lon FLOAT, Cutoff FLOAT, Week INT, Sens FLOAT,
  Overlap FLOAT, File_Name VARCHAR(100) NOT NULL);
  CREATE INDEX detections_Com_Name ON detections (Com_Name);
  CREATE INDEX detections_Sci_Name ON detections (Sci_Name);
  CREATE INDEX detections_Date_Time ON detections (Date DESC, Time DESC);`;
const insert = `INSERT INTO detections (Date, Time, Sci_Name, Com_Name, Confidence, Lat, Lon, Cutoff, Week, Sens, Overlap,
  File_Name) VALUES (?, ?, ?, ?, ?, 52.5, 13.4, 0.7, 18, 1.25, 0.0, ?)`;
const types: Readonly<Record<string, string>> = {
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  flac: 'audio/flac',
  m4a: 'audio/mp4',
  png: 'image/png',
};

/** Starts a BirdNET-Pi with its web server on a free loopback port. */
export async function startBirdNetPi(start: BirdNetPiStart = {}): Promise<BirdNetPi> {
  const folder = mkdtempSync(join(start.parent ?? tmpdir(), 'birdnet-pi-'));
  const disk = new BirdNetPiDisk(folder, start);
  const server = await startStubServer(serveFolder(disk.clipFolder));
  return {
    ...server,
    databaseFile: disk.databaseFile,
    clipFolder: disk.clipFolder,
    hear: (bird = {}) => disk.hear(bird),
    hearMany: (birds) => disk.hearMany(birds),
    list: () => disk.list(),
    restoreBackup: () => disk.restoreBackup(),
    async stop() {
      await server.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Returns the form of a name in file names. */
const safe = (name: string) => name.replaceAll("'", '').replaceAll(' ', '_');

class BirdNetPiDisk {
  readonly databaseFile: string;
  readonly clipFolder: string;
  readonly #timezone: string;
  readonly #extension: string;
  readonly #media = new SampleMedia();

  constructor(folder: string, { timezone = 'UTC', extension = 'mp3' }: BirdNetPiStart) {
    this.databaseFile = join(folder, 'BirdNET-Pi/scripts/birds.db');
    this.clipFolder = join(folder, 'BirdSongs/Extracted');
    this.#timezone = timezone;
    this.#extension = extension;
    mkdirSync(dirname(this.databaseFile), { recursive: true });
    mkdirSync(join(this.clipFolder, 'By_Date'), { recursive: true });
    this.#write((database) => database.exec(layout));
  }

  async hear(bird: NewBirdNetPiDetection): Promise<BirdNetPiBird> {
    const row = this.#toRow(bird);
    const clip = join(row.date, safe(row.commonName), row.fileName);
    if (bird.hasClip ?? true) await this.#makeFiles(clip, bird.seconds ?? 6);
    const rowid = this.#write((database) =>
      Number(database.prepare(insert).run(...row.values).lastInsertRowid),
    );
    return {
      rowid,
      clip,
      changeName: (scientificName, commonName, confidence = 1.001) =>
        this.#changeName(rowid, scientificName, commonName, confidence),
      purge: () => this.#purge(rowid),
      delete: () => {
        this.#purge(rowid);
        this.#write((database) => database.prepare('DELETE FROM detections WHERE rowid = ?').run(rowid));
      },
    };
  }

  hearMany(birds: readonly NewBirdNetPiDetection[]): void {
    this.#write((database) => {
      const statement = database.prepare(insert);
      database.exec('BEGIN');
      for (const bird of birds) statement.run(...this.#toRow(bird).values);
      database.exec('COMMIT');
    });
  }

  list(): BirdNetPiRow[] {
    const columns = 'rowid, Date, Time, Sci_Name, Com_Name, Confidence, File_Name';
    return this.#write((database) =>
      database.prepare(`SELECT ${columns} FROM detections ORDER BY rowid`).all(),
    ) as BirdNetPiRow[];
  }

  restoreBackup(): void {
    this.#write((database) =>
      database.exec(`CREATE TABLE restored AS SELECT * FROM detections ORDER BY Date DESC, Time DESC;
        DELETE FROM detections;
        INSERT INTO detections (rowid, Date, Time, Sci_Name, Com_Name, Confidence, Lat, Lon, Cutoff, Week, Sens, Overlap, File_Name)
        SELECT rowid, * FROM restored;
        DROP TABLE restored`),
    );
  }

  #toRow(bird: NewBirdNetPiDetection) {
    const { scientificName = 'Parus major', commonName = 'Great Tit', confidence = 0.87, rtsp } = bird;
    const { date, time } = bird.clock ?? readWallClock(bird.at ?? Date.now(), this.#timezone);
    const stream = rtsp === undefined ? '' : `RTSP_${rtsp}-`;
    const percent = Math.round(confidence * 100);
    const fileName = `${safe(commonName)}-${percent}-${date}-birdnet-${stream}${time}.${this.#extension}`;
    const values = [date, time, scientificName, commonName, confidence, fileName];
    return { date, commonName, fileName, values };
  }

  async #makeFiles(clip: string, seconds: number): Promise<void> {
    const file = this.#fileOf(clip);
    mkdirSync(dirname(file), { recursive: true });
    const [sound, picture] = await Promise.all([
      this.#media.sound(seconds, this.#extension),
      this.#media.picture('png'),
    ]);
    writeFileSync(file, sound);
    writeFileSync(`${file}.png`, picture);
  }

  #changeName(rowid: number, scientificName: string, commonName: string, confidence: number): void {
    const old = this.#rowOf(rowid);
    if (old === undefined) return;
    const fileName = old.File_Name.replace(safe(old.Com_Name), safe(commonName));
    const [from, to] = [
      this.#fileOf(join(old.Date, safe(old.Com_Name), old.File_Name)),
      this.#fileOf(join(old.Date, safe(commonName), fileName)),
    ];
    mkdirSync(dirname(to), { recursive: true });
    for (const suffix of ['', '.png']) if (existsSync(from + suffix)) renameSync(from + suffix, to + suffix);
    this.#write((database) =>
      database
        .prepare(
          'UPDATE detections SET Sci_Name = ?, Com_Name = ?, Confidence = ?, File_Name = ? WHERE rowid = ?',
        )
        .run(scientificName, commonName, confidence, fileName, rowid),
    );
  }

  #purge(rowid: number): void {
    const row = this.#rowOf(rowid);
    if (row === undefined) return;
    const file = this.#fileOf(join(row.Date, safe(row.Com_Name), row.File_Name));
    for (const suffix of ['', '.png']) rmSync(file + suffix, { force: true });
  }

  #rowOf = (rowid: number) => this.list().find((row) => row.rowid === rowid);

  #fileOf = (clip: string) => join(this.clipFolder, 'By_Date', clip);

  /** Opens the database for each access, as the program does. */
  #write<T>(change: (database: Database.Database) => T): T {
    const database = new Database(this.databaseFile, { timeout: 10_000 });
    try {
      return change(database);
    } finally {
      database.close();
    }
  }
}

/** Serves files below a folder, as its web server does. */
function serveFolder(folder: string): Handler {
  return ({ path }) => {
    const file = normalize(join(folder, path));
    if (!file.startsWith(folder) || !existsSync(file)) return { status: 404, body: '404 page not found' };
    if (statSync(file).isDirectory())
      return { status: 200, headers: { 'content-type': 'text/html' }, body: '<pre>' };
    const type = types[file.slice(file.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
    return {
      status: 200,
      headers: { 'content-type': type, 'accept-ranges': 'bytes' },
      body: readFileSync(file),
    };
  };
}
