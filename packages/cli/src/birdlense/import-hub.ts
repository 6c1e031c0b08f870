import { createRecordingWriter } from '@birdhub/domain/recordings';
import { createSettingsReader } from '@birdhub/domain/settings';
import { createSpeciesDirectory, seedCatalogue } from '@birdhub/domain/species';
import { LauncherError } from '@birdhub/launcher/launcher-error';
import { lockNames, migrate, withAdvisoryLock } from '@birdhub/shared/db';
import { systemClock } from '@birdhub/shared/time';
import pLimit from 'p-limit';
import { type CommandDatabase, withBell } from '../commands/with-bell.js';
import { reserveIds } from './ids.store.js';
import { ImportReport } from './import-report.js';
import type { OldHub } from './old-hub.js';
import { idOf, type OldRecording } from './old-rows.js';
import { withOldHub } from './open-old-hub.js';
import type { Trees } from './place-file.js';
import { takeFoods } from './take-foods.js';
import { type RecordingTaking, takeRecording } from './take-recording.js';
import { takeSpecies } from './take-species.js';
import { toRecording } from './to-recording.js';

/** What is imported, and who hears of it. */
export interface Import {
  /** The SQLite database of the old hub. */
  readonly file: string;
  readonly trees: Trees;
  readonly signal: AbortSignal;
  readonly onProgress: (recordings: number) => void;
}

const sliceSize = 200;
const recordingsAtOnce = 4;

/** Each recording once, even when the old hub has two under one path. */
function createChooser(report: ImportReport, names: ReadonlyMap<number, string>) {
  const keys = new Set<string>();
  return (old: OldRecording) => {
    const found = toRecording(old, names, systemClock.now());
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

async function takeRecordings(
  old: OldHub,
  names: ReadonlyMap<number, string>,
  taking: RecordingTaking,
  { signal, onProgress }: Import,
): Promise<void> {
  const choose = createChooser(taking.report, names);
  const limit = pLimit(recordingsAtOnce);
  let seen = 0;
  for (const slice of old.readRecordings(sliceSize)) {
    signal.throwIfAborted();
    const found = slice.map(choose).filter((recording) => recording !== undefined);
    const notes = await limit.map(found, (recording) => takeRecording(taking, recording));
    await taking.writer.noteMedia(notes.filter((note) => note !== undefined));
    seen += slice.length;
    onProgress(seen);
  }
  const orphans = old.countOrphans();
  if (orphans)
    taking.report.skip('a detection is of a recording that is not in the file', undefined, orphans);
}

async function takeAll(old: OldHub, database: CommandDatabase, what: Import): Promise<ImportReport> {
  const { pool, bell, log } = database;
  const report = new ImportReport();
  const settings = createSettingsReader({ pool, timezone: 'UTC', log });
  const directory = createSpeciesDirectory(pool, () => bell.ring({ kind: 'species' }));
  const writer = createRecordingWriter({ pool, directory, settings, bell });
  const ids = await reserveIds(pool, old.readIds());
  const names = await takeSpecies(old, { pool, directory, settings, bell, ids, report });
  const foodIds = await takeFoods(old, { pool, ids, report });
  bell.ring({ kind: 'foods' });
  await takeRecordings(old, names, { pool, writer, ids, trees: what.trees, foodIds, report }, what);
  return report;
}

/**
 * Takes over what a hub of the BirdLense family has stored, while this one runs or not. What was taken before is left
 * as it is.
 * @throws LauncherError when the file is none of such a hub, or another import runs
 */
export function importHub(databaseUrl: string, what: Import): Promise<ImportReport> {
  return withOldHub(what.file, async (old) => {
    // People move in before the first start, too.
    await migrate(databaseUrl, seedCatalogue);
    return withBell(databaseUrl, async (database) => {
      const done = await withAdvisoryLock(database.pool, lockNames.importBirdLense, () =>
        takeAll(old, database, what),
      );
      if (done === undefined) throw new LauncherError('Another import runs at this moment.');
      return done.result;
    });
  });
}
