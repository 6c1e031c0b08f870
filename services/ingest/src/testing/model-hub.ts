import { setTimeout as pause } from 'node:timers/promises';
import { RecordingWriter } from '@birdhub/domain/recordings';
import { SettingsReader } from '@birdhub/domain/settings';
import { createSpeciesDirectory } from '@birdhub/domain/species';
import { ChangeNotifier, type Database, openDatabase } from '@birdhub/shared/db';
import { createServiceGuard } from '@birdhub/shared/outgoing';
import { msSql } from '@birdhub/shared/time';
import { emptyTables, recordingTables, type TestDatabase, testAuthor } from '@birdhub/testing';
import { pino } from 'pino';
import { SourceEventStore } from '../sources/source-events.store.js';
import { SourceIntake } from '../sources/source-intake.js';
import type { SourceKindName } from '../sources/source-kind.js';
import { sourceKinds } from '../sources/source-kinds.js';
import { SourceRunner } from '../sources/source-runner.js';
import type { StoredSource } from '../sources/sources.store.js';
import { UpstreamOpener } from '../sources/upstream-opener.js';

/** The source under test; its id is always 1. */
export interface ModelSource {
  readonly kind: SourceKindName;
  readonly url: string;
  readonly mqttUrl: string | undefined;
  readonly since: number;
}

/** A stored detection, compared with upstream; times in ms since the epoch. */
export interface StoredDetection {
  readonly key: string;
  readonly camera: string;
  readonly species: string;
  readonly start: number;
  readonly end: number;
}

const log = pino({ level: 'silent' });
const applicationName = 'model-hub';
const settleTimeoutMs = 60_000;

const detectionsSql = `
  SELECT upstream_id AS key, video.camera_id AS camera, species.name AS species,
    ${msSql('detection.start_time')} AS start,
    ${msSql('detection.end_time')} AS "end"
  FROM detection JOIN video ON video.id = detection.video_id JOIN species ON species.id = species_id
  LEFT JOIN source_event ON source_event.video_id = video.id
  ORDER BY detection.start_time, upstream_id, species.name`;

const tables = ['source', 'source_event', 'source_dropped', ...recordingTables];

/** The part of the hub that reads one source, with a manual clock. Files are not fetched but marked as ready. */
export class ModelHub {
  readonly #database: TestDatabase;
  readonly #source: ModelSource;
  readonly #clock: { now(): number };
  #running: { readonly runner: SourceRunner; readonly database: Database } | undefined;
  #reviewer: RecordingWriter | undefined;

  constructor(database: TestDatabase, source: ModelSource, clock: { now(): number }) {
    this.#database = database;
    this.#source = source;
    this.#clock = clock;
  }

  /** Empties the tables and adds the source. */
  async reset(): Promise<void> {
    const { kind, url, since } = this.#source;
    await emptyTables(this.#database.pool, tables);
    const sql = `INSERT INTO source (id, kind, name, url, since) VALUES (1, $1, 'model', $2, $3)`;
    await this.#database.pool.query(sql, [kind, url, new Date(since)]);
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  start(): void {
    if (this.#running) return;
    const database = openDatabase({ url: this.#database.url, max: 4, name: applicationName, log });
    const runner = this.#createRunner(database);
    this.#running = { runner, database };
    runner.start();
  }

  /** Stops gracefully. */
  async stop(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    if (!running) return;
    await running.runner.stop();
    await running.database.close();
  }

  /** Simulates a crash: uncommitted work is lost. */
  async crash(): Promise<void> {
    if (!this.#running) return;
    const sql = 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1';
    await this.#database.pool.query(sql, [applicationName]);
    await this.stop();
  }

  /** Starts the work that is due by the clock. */
  wake(): void {
    this.#running?.runner.wake();
  }

  async listDetections(): Promise<StoredDetection[]> {
    return (await this.#database.pool.query<StoredDetection>(detectionsSql)).rows;
  }

  /** Lists the upstream ids of all recordings; the path for a recording without one. */
  async listRecordings(): Promise<string[]> {
    const sql = `SELECT coalesce(upstream_id, 'without source: ' || video.video_path) AS key FROM video
      LEFT JOIN source_event ON source_event.video_id = video.id ORDER BY 1`;
    return (await this.#database.pool.query<{ key: string }>(sql)).rows.map(({ key }) => key);
  }

  /** Corrects the first detection of a recording; returns whether there was one. */
  async correct(key: string, start: number, species: string): Promise<boolean> {
    const sql = `SELECT detection.id FROM detection JOIN source_event ON source_event.video_id = detection.video_id
      WHERE upstream_id = $1 AND abs(extract(epoch FROM start_time) * 1000 - $2) < 20`;
    const { rows } = await this.#database.pool.query<{ id: number }>(sql, [key, start]);
    const speciesId = (await this.#speciesIds([species])).get(species);
    const id = rows[0]?.id;
    if (id === undefined || speciesId === undefined) return false;
    await this.#writer().correct({ detectionId: id, speciesId, scope: 'single_track' }, testAuthor);
    return true;
  }

  /** Deletes a recording; returns whether there was one. */
  async remove(key: string): Promise<boolean> {
    const sql = 'SELECT video.id FROM source_event JOIN video ON video.id = video_id WHERE upstream_id = $1';
    const { rows } = await this.#database.pool.query<{ id: number }>(sql, [key]);
    const [found] = rows;
    if (!found) return false;
    await this.#writer().remove(found.id, testAuthor);
    return true;
  }

  /** Waits until the source was read up to the current time and nothing is due by the clock. */
  async settle(): Promise<void> {
    const sql = `SELECT coalesce(read_until >= $1, false) AND NOT EXISTS (
      SELECT FROM source_event WHERE reread_at <= $1 OR (media = 'waiting' AND media_at <= $1)) AS done FROM source`;
    const deadline = Date.now() + settleTimeoutMs;
    for (let settledChecks = 0; settledChecks < 2; ) {
      if (Date.now() > deadline) throw new Error('the hub did not settle in time');
      this.wake();
      await pause(50);
      const { rows } = await this.#database.pool.query<{ done: boolean }>(sql, [new Date(this.#clock.now())]);
      settledChecks = rows[0]?.done ? settledChecks + 1 : 0;
    }
  }

  #writer(): RecordingWriter {
    this.#reviewer ??= this.#createWriter(this.#database);
    return this.#reviewer;
  }

  async #speciesIds(names: readonly string[]) {
    return createSpeciesDirectory(this.#database.pool).resolve([...names]);
  }

  #createWriter({ pool }: Pick<Database, 'pool'>): RecordingWriter {
    const directory = createSpeciesDirectory(pool);
    const settings = new SettingsReader({ pool, timezone: 'UTC', log });
    const notifier = new ChangeNotifier(pool, log);
    return new RecordingWriter({ pool, directory, settings, notifier, clock: this.#clock });
  }

  #createRunner(database: Database): SourceRunner {
    const { pool } = database;
    const events = new SourceEventStore(pool);
    const writer = this.#createWriter(database);
    const clock = this.#clock;
    const settings = new SettingsReader({ pool, timezone: 'UTC', log });
    const guard = createServiceGuard({ ownAddresses: [] });
    const isKnownSpecies = async () => true;
    const opener = new UpstreamOpener({
      kinds: sourceKinds,
      guard,
      settings,
      isKnownSpecies,
      ffmpegPath: 'ffmpeg',
      clock,
      log,
    });
    const space = { requireSpace: () => undefined };
    return new SourceRunner({
      pool,
      intake: new SourceIntake({ writer, events, space, clock }),
      events,
      media: { fetch: async (_upstream, event) => events.finishMedia(event.id, 'ready') },
      clock,
      log,
      pollIntervalMs: 40,
      checkIntervalMs: 40,
      sources: { find: () => this.#findSource(database) },
      opener,
      writer,
    });
  }

  async #findSource({ pool }: Database): Promise<StoredSource | undefined> {
    const { rows } = await pool.query<{ cursor: StoredSource['cursor'] | null; revision: number }>(
      'SELECT cursor, revision FROM source',
    );
    const [row] = rows;
    if (!row) return undefined;
    const { kind, url, mqttUrl, since } = this.#source;
    return {
      id: 1,
      kind,
      name: 'model',
      url,
      username: null,
      path: null,
      options: { cameras: {}, writeBack: false },
      enabled: true,
      secrets: { mqttUrl },
      revision: row.revision,
      cursor: row.cursor ?? undefined,
      since,
      cameras: [],
      hasLostSecrets: false,
      message: null,
      messageSentences: null,
      lastContactAt: null,
      lastEventAt: null,
      readUntil: null,
      createdAt: new Date(since),
    };
  }
}
