import { RecordingWriter } from '@birdhub/domain/recordings';
import {
  type ResealedSecrets,
  resealSecrets,
  rotateSecrets,
  SettingsReader,
  SettingsWriter,
} from '@birdhub/domain/settings';
import {
  applyTidy,
  type Checklist,
  createSpeciesDirectory,
  loadChecklist,
  planTidy,
  SpeciesEditor,
  type TidyDeps,
  type TidyResult,
  type TidyStep,
  type UndoneTidy,
  undoTidy,
} from '@birdhub/domain/species';
import { rebuildVisits } from '@birdhub/domain/visits';
import { ChangeNotifier, type Database, openDatabase } from '@birdhub/shared/db';
import { createLog } from '@birdhub/shared/log';
import { keyFileIn, openSecretBox, type SecretsConfig, secretKeys } from '@birdhub/shared/secrets';
import { endSessionsOf } from '@birdhub/shared/sessions';
import { systemClock } from '@birdhub/shared/time';

/** An open database of a hub. */
export interface CommandDatabase {
  readonly database: Database;
  readonly pool: Database['pool'];
  /** Notifies running services of changes. */
  readonly notifier: ChangeNotifier;
  readonly log: ReturnType<typeof createLog>;
}

/** Runs `work` on a hub's database; resolves once the running services are notified. */
export async function withHubDatabase<T>(
  databaseUrl: string,
  work: (command: CommandDatabase) => Promise<T>,
): Promise<T> {
  const log = createLog('launcher', 'warn');
  const database = openDatabase({ url: databaseUrl, max: 4, name: 'launcher', log });
  const notifier = new ChangeNotifier(database.pool, log);
  try {
    const result = await work({ database, pool: database.pool, notifier, log });
    await notifier.settled();
    return result;
  } finally {
    await database.close();
  }
}

const noPasswords = { general: { settings_password: null, contributor_password: null } };

/** Clears the passwords of a hub and ends all sessions. */
export function clearPasswordsIn(databaseUrl: string, config: SecretsConfig): Promise<void> {
  return withHubDatabase(databaseUrl, async ({ database, notifier }) => {
    const secrets = openSecretBox(config);
    const writer = new SettingsWriter({ database, notifier, secrets, timezone: 'UTC' });
    await writer.change(noPasswords, { role: 'host' });
    // Also ends sessions of a password that was cleared earlier.
    await endSessionsOf(database.prisma, 'admin');
    await endSessionsOf(database.prisma, 'contributor');
    notifier.notify({ kind: 'settings' });
  });
}

/** Encrypts the secrets of the settings again: with the first key of the environment if set, else with a new key. */
export function sealSecretsIn(databaseUrl: string, config: SecretsConfig): Promise<ResealedSecrets> {
  return withHubDatabase(databaseUrl, async ({ pool, notifier }) => {
    const sealed = await (config.secretsKey === undefined
      ? rotateSecrets(pool, keyFileIn(config.dataDir))
      : resealSecrets(pool, secretKeys(config)));
    notifier.notify({ kind: 'settings' });
    return sealed;
  });
}

/** Rebuilds all visits of a hub by the visit rule; returns their number. */
export function rebuildVisitsIn(databaseUrl: string): Promise<number> {
  return withHubDatabase(databaseUrl, ({ pool, notifier }) =>
    rebuildVisits({ pool, notifier, directory: createSpeciesDirectory(pool) }),
  );
}

/** Assigns unreviewed detections to species by the current names; returns the number of moved detections. */
export function remapDetectionsIn(
  databaseUrl: string,
  onMoved: (detections: number) => void,
): Promise<number> {
  return withHubDatabase(databaseUrl, async ({ pool, notifier, log }) => {
    const settings = new SettingsReader({ pool, timezone: 'UTC', log });
    const directory = createSpeciesDirectory(pool, { onCreated: () => notifier.notify({ kind: 'species' }) });
    const writer = new RecordingWriter({ pool, directory, settings, notifier, clock: systemClock });
    const { moved } = await writer.remap({ onProgress: (progress) => onMoved(progress.moved) });
    return moved;
  });
}

/** Loads a checklist; returns whether it changed anything, and the number of species that a repair would change. */
export function loadChecklistIn(
  databaseUrl: string,
  checklist: Checklist,
): Promise<{ readonly isChanged: boolean; readonly tidySteps: number }> {
  return withHubDatabase(databaseUrl, async ({ pool, notifier }) => {
    const isChanged = await loadChecklist(pool, checklist);
    if (isChanged) notifier.notify({ kind: 'species' });
    const { length } = await planTidy({ pool, directory: createSpeciesDirectory(pool) });
    return { isChanged, tidySteps: length };
  });
}

function withTidy<T>(databaseUrl: string, work: (deps: TidyDeps) => Promise<T>): Promise<T> {
  return withHubDatabase(databaseUrl, ({ pool, notifier }) => {
    const directory = createSpeciesDirectory(pool, { onCreated: () => notifier.notify({ kind: 'species' }) });
    return work({ pool, directory, editor: new SpeciesEditor({ pool, directory, notifier }) });
  });
}

/** Returns the steps of a repair of species. */
export const planTidyIn = (databaseUrl: string): Promise<TidyStep[]> => withTidy(databaseUrl, planTidy);

/** Repairs species until nothing is left; calls `onPart` after each part. */
export function applyTidyIn(databaseUrl: string, onPart: (result: TidyResult) => void): Promise<void> {
  return withTidy(databaseUrl, async (deps) => {
    for (let left = Number.POSITIVE_INFINITY; left > 0; ) {
      const result = await applyTidy(deps);
      onPart(result);
      // Steps that are skipped every time must not repeat for ever.
      left = result.merged + result.completed > 0 ? result.remaining : 0;
    }
  });
}

/** Reverts the last repair. */
export const undoTidyIn = (databaseUrl: string): Promise<UndoneTidy> =>
  withTidy(databaseUrl, (deps) => undoTidy(deps));
