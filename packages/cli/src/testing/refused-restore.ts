import { LauncherError } from '@birdhub/launcher/launcher-error';
import { type Entry, readArchive, writeArchive } from '../backup/archive.js';
import { noSignal, type StoredHub } from './stored-hub.js';

/** Returns the message with which a restore is refused. @throws when it succeeds or fails unexpectedly */
export async function refuseToRestore(hub: StoredHub, file: string): Promise<string> {
  const failure = await hub.restore(file).then(
    () => new Error('not refused'),
    (error: unknown) => error,
  );
  if (failure instanceof LauncherError) return failure.message;
  throw failure;
}

/** Copies a backup with changes in the entries whose name starts with `name`; its manifest is not updated. */
export async function forge(
  from: string,
  to: string,
  name: string,
  change: (text: string) => string,
): Promise<void> {
  async function* changed(): AsyncGenerator<Entry> {
    for await (const entry of readArchive(from)) {
      const isAffected = entry.name.startsWith(name);
      yield isAffected ? { ...entry, content: Buffer.from(change(entry.content.toString('utf8'))) } : entry;
    }
  }
  await writeArchive({ file: to, madeAt: new Date(0), signal: noSignal }, changed());
}
