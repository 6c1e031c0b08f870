import { createRecordingWriter } from '@birdhub/domain/recordings';
import { createSettingsReader } from '@birdhub/domain/settings';
import { createSpeciesDirectory, seedCatalogue } from '@birdhub/domain/species';
import { LauncherError } from '@birdhub/launcher/launcher-error';
import { lockNames, migrate, withAdvisoryLock } from '@birdhub/shared/db';
import { systemClock } from '@birdhub/shared/time';
import pLimit from 'p-limit';
import type pg from 'pg';
import { type CommandDatabase, withHubDatabase } from '../hub-database.js';
import { convertRecording } from './convert-recording.js';
import { importRecording, type RecordingImportDeps } from './import-recording.js';
import { ImportReport } from './import-report.js';
import { importSpecies } from './import-species.js';
import { type OldHub, withOldHub } from './old-hub.js';
import { idOf, type OldRecording, type OldRow, textOf } from './old-rows.js';
import type { Trees } from './place-file.js';
import { type ReservedIds, reserveIds } from './reserved-ids.store.js';

/** What is imported, and who is notified of its progress. */
export interface ImportRequest {
  /** The SQLite database of the old hub. */
  readonly file: string;
  readonly trees: Trees;
  readonly signal: AbortSignal;
  readonly onProgress: (recordings: number) => void;
}

/**
 * Imports what a hub of the BirdLense family has stored, while this one runs or not. What was imported before is left
 * as it is.
 * @throws LauncherError when the file is not of such a hub, or another import runs
 */
export function importHub(databaseUrl: string, request: ImportRequest): Promise<ImportReport> {
  return withOldHub(request.file, async (old) => {
    // An import may come before the first start.
    await migrate(databaseUrl, seedCatalogue);
    return withHubDatabase(databaseUrl, async (database) => {
      const done = await withAdvisoryLock(database.pool, lockNames.importBirdLense, () =>
        importAll(old, database, request),
      );
      if (done === undefined) throw new LauncherError('Another import runs at this moment.');
      return done.result;
    });
  });
}

const sliceSize = 200;
const maxRecordings = 4;

/** Converts each recording once, even when the old hub has two under one path. */
function createConverter(report: ImportReport, names: ReadonlyMap<number, string>) {
  const keys = new Set<string>();
  return (old: OldRecording) => {
    const found = convertRecording(old, names, systemClock.now());
    if ('reason' in found) {
      report.skip(found.reason, idOf(old.video, 'id'));
      return undefined;
    }
    const key = `${found.posted.cameraId}\0${found.posted.videoPath}`;
    if (!keys.has(key)) return keys.add(key) && found;
    report.skip('another recording has its path', found.oldId);
    return undefined;
  };
}

async function importRecordings(
  old: OldHub,
  names: ReadonlyMap<number, string>,
  deps: RecordingImportDeps,
  { signal, onProgress }: ImportRequest,
): Promise<void> {
  const convert = createConverter(deps.report, names);
  const limit = pLimit(maxRecordings);
  let seen = 0;
  for (const slice of old.readRecordings(sliceSize)) {
    signal.throwIfAborted();
    const found = slice.map(convert).filter((recording) => recording !== undefined);
    const notes = await limit.map(found, (recording) => importRecording(deps, recording));
    await deps.writer.noteMedia(notes.filter((note) => note !== undefined));
    seen += slice.length;
    onProgress(seen);
  }
  const orphans = old.countOrphans();
  if (orphans) deps.report.skip('a detection is of a recording that is not in the file', undefined, orphans);
}

async function importAll(
  old: OldHub,
  database: CommandDatabase,
  request: ImportRequest,
): Promise<ImportReport> {
  const { pool, notifier, log } = database;
  const report = new ImportReport();
  const settings = createSettingsReader({ pool, timezone: 'UTC', log });
  const directory = createSpeciesDirectory(pool, () => notifier.notify({ kind: 'species' }));
  const writer = createRecordingWriter({ pool, directory, settings, notifier });
  const ids = await reserveIds(pool, old.readIds());
  const names = await importSpecies(old, { pool, directory, settings, notifier, ids, report });
  const foodIds = await importFoods(old, { pool, ids, report });
  notifier.notify({ kind: 'foods' });
  await importRecordings(old, names, { pool, writer, ids, trees: request.trees, foodIds, report }, request);
  return report;
}

const addFoodSql = `
  INSERT INTO bird_food (id, name, description, image_url)
  SELECT coalesce((SELECT $1::int WHERE NOT EXISTS (SELECT FROM bird_food WHERE id = $1)),
    nextval('bird_food_id_seq')), $2, $3, $4
  WHERE NOT EXISTS (SELECT FROM bird_food WHERE lower(name) = lower($2))
  ON CONFLICT (lower(name)) DO NOTHING`;

const maxFoodNameLength = 100;

/** Adds the foods that this hub does not know, not offered yet; returns their ids by the old ones. */
async function importFoods(
  old: OldHub,
  { pool, ids, report }: { readonly pool: pg.Pool; readonly ids: ReservedIds; readonly report: ImportReport },
): Promise<Map<number, number>> {
  const imported = new Map<number, number>();
  for (const row of old.readFoods()) {
    const [oldId, name] = [idOf(row, 'id'), textOf(row, 'name', maxFoodNameLength)?.normalize('NFC')];
    if (oldId === undefined || name === undefined) {
      report.skip('a food has no name', oldId);
      continue;
    }
    const { rowCount } = await pool.query(addFoodSql, [
      ids.has('bird_food', oldId) ? oldId : null,
      name,
      ...foodDetails(row),
    ]);
    if (rowCount) report.count('foods');
    const { rows } = await pool.query<{ id: number }>(
      'SELECT id FROM bird_food WHERE lower(name) = lower($1)',
      [name],
    );
    if (rows[0]) imported.set(oldId, rows[0].id);
  }
  return imported;
}

const foodDetails = (row: OldRow) => [
  textOf(row, 'description') ?? null,
  textOf(row, 'image_url', 2_000) ?? null,
];
