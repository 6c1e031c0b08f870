import { FileRemover, RecordingWriter } from '@birdhub/domain/recordings';
import { SettingsReader } from '@birdhub/domain/settings';
import { createSpeciesDirectory } from '@birdhub/domain/species';
import { ChangeNotifier, openDatabase } from '@birdhub/shared/db';
import { pino } from 'pino';

// Runs compiled modules in a child process, which the test kills: purges all but favourites, in small batches.
const [url = '', dataDir = '', recordingsDir = ''] = process.argv.slice(2);
const log = pino({ level: 'silent' });
const { pool } = openDatabase({ url, max: 4, name: 'purge-in-child', log });
const settings = new SettingsReader({ pool, timezone: 'UTC', log });
const directory = createSpeciesDirectory(pool);
const writer = new RecordingWriter({
  pool,
  directory,
  settings,
  notifier: new ChangeNotifier(pool, log),
});
const files = new FileRemover({ pool, recordingsDir, dataDir, log });
const { rows } = await pool.query('SELECT id FROM video ORDER BY start_time');
const report = (step) => process.send?.(step);
report('started');
while (rows.length) {
  const recordings = rows.splice(0, 7).map(({ id }) => ({ id, sizeBytes: 0 }));
  await writer.purge({ recordings, includeFavorites: false }, 'child');
  report('rows purged');
  await files.removeLatest();
  report('files deleted');
}
process.exit();
