import { LauncherError } from '@birdhub/launcher/launcher-error';
import { type Entry, readArchive, writeArchive } from '../backup/archive.js';
import { noSignal, type StoredHub } from './stored-hub.js';

/** The sentence with which a restore is refused. @throws when it is not, or fails with more than a sentence */
export async function refuseToRestore(hub: StoredHub, file: string): Promise<string> {
  const failure = await hub.restore(file).then(
    () => new Error('not refused'),
    (error: unknown) => error,
  );
  if (failure instanceof LauncherError) return failure.message;
  throw failure;
}

/** Writes a backup once more with the text of some entries changed, its manifest not brought in line. */
export async function forge(
  from: string,
  to: string,
  name: string,
  change: (text: string) => string,
): Promise<void> {
  async function* changed(): AsyncGenerator<Entry> {
    for await (const entry of readArchive(from)) {
      const isMeant = entry.name.startsWith(name);
      yield isMeant ? { ...entry, content: Buffer.from(change(entry.content.toString('utf8'))) } : entry;
    }
  }
  await writeArchive({ file: to, madeAt: new Date(0), signal: noSignal }, changed());
}
