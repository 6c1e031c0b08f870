import { type Options, secretsConfigOf } from '@birdhub/launcher/options';
import { runMigration } from '@birdhub/launcher/run-migration';
import { withDatabase } from './command.js';

/** Loaded only when needed: loading the database client takes longer than the other commands. */
const loadDatabase = () => import('../hub-database.js');

/** Clears both passwords, so that every client is admin again, and ends all sessions. */
export async function resetPasswords(options: Options): Promise<number> {
  const { clearPasswordsIn } = await loadDatabase();
  await withDatabase(options, (databaseUrl) => clearPasswordsIn(databaseUrl, secretsConfigOf(options)));
  console.log(
    'Both passwords are cleared and all sessions have ended: everyone is admin until you set a new password.',
  );
  console.log('Access tokens stay valid: check them in the settings under Access.');
  return 0;
}

/** Seals the secrets of the settings with a new key. */
export async function rotateSecrets(options: Options): Promise<number> {
  const { sealSecretsIn } = await loadDatabase();
  await withDatabase(options, async (databaseUrl) => {
    const { sealed, lost } = await sealSecretsIn(databaseUrl, secretsConfigOf(options));
    const key = options.secretsKey === undefined ? 'a new key' : 'the first key of SECRETS_KEY';
    console.log(`Secrets encrypted with ${key}: ${sealed}.`);
    if (lost.length) console.log(`The key of these secrets is lost, enter them again: ${lost.join(', ')}`);
  });
  return 0;
}

const progressInterval = 6_000;

/** Applies the species names in the settings to existing detections; when interrupted, the next call continues. */
export async function applySpeciesMapping(options: Options): Promise<number> {
  const { remapDetectionsIn } = await loadDatabase();
  const moved = await withDatabase(options, (databaseUrl) =>
    remapDetectionsIn(databaseUrl, (detections) => {
      if (detections % progressInterval === 0) console.log(`${detections} detections so far`);
    }),
  );
  console.log(`Detections moved to another species: ${moved}.`);
  return 0;
}

/** Rebuilds all visits and their rollups from the detections. */
export async function rebuildAllVisits(options: Options): Promise<number> {
  const { rebuildVisitsIn } = await loadDatabase();
  const visits = await withDatabase(options, rebuildVisitsIn);
  console.log(`Visits rebuilt: ${visits}.`);
  return 0;
}

/** Migrates the database and prints the applied migrations. */
export async function migrateNow(options: Options): Promise<number> {
  await withDatabase(options, async (databaseUrl) => {
    const applied = await runMigration(databaseUrl);
    console.log(applied.length === 0 ? 'The database is up to date.' : `Applied: ${applied.join(', ')}`);
  });
  return 0;
}
