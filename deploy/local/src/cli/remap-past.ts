import { createBell, openDatabase } from '@birdhub/shared/db';
import { createLog } from '@birdhub/shared/log';
import { createRecordingWriter } from '@birdhub/shared/recordings';
import { createSettingsReader } from '@birdhub/shared/settings';
import { createSpeciesDirectory } from '@birdhub/shared/species';

/** Gives what nobody has reviewed the species that its name means now; answers how many detections moved. */
export async function remapPast(databaseUrl: string, onMoved: (detections: number) => void): Promise<number> {
  const log = createLog('launcher', 'warn');
  const database = openDatabase({ url: databaseUrl, max: 4, name: 'launcher', log });
  const { pool } = database;
  const bell = createBell(pool, log);
  try {
    const settings = createSettingsReader({ pool, timezone: 'UTC', log });
    const directory = createSpeciesDirectory(pool, () => bell.ring({ kind: 'species' }));
    const writer = createRecordingWriter({ pool, directory, settings, bell });
    const { moved } = await writer.remap({ onProgress: (progress) => onMoved(progress.moved) });
    await bell.settled();
    return moved;
  } finally {
    await database.close();
  }
}
