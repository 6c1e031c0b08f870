import { isDeepStrictEqual } from 'node:util';
import { LauncherError } from '@birdhub/launcher/launcher-error';
import { type Digest, digest, readArchive, readSections } from './archive.js';
import { backupFormat, entryNames, type Heading, type Manifest, sectionOfTable } from './manifest.js';
import { countMissing } from './recordings-list.js';

/** What this hub is to a backup. */
export type CheckingHub = {
  readonly version: string;
  readonly migrations: readonly string[];
  readonly recordingsDir: string;
};

/** A backup of which every byte was read and is what its manifest says. */
export type CheckedBackup = {
  readonly file: string;
  readonly manifest: Manifest;
  /** As they stand in the file. */
  readonly settingsKeys: Buffer;
  /** How many of its recordings are not here. */
  readonly missingRecordings: number;
};

type Content = {
  /** Of what the manifest lists. */
  readonly digests: ReadonlyMap<string, Digest>;
  /** The entries that are kept, whole. */
  readonly documents: ReadonlyMap<string, Buffer>;
  readonly missingRecordings: number;
};

const documentNames: readonly string[] = [entryNames.heading, entryNames.settingsKeys, entryNames.manifest];

/** Reads a backup to its end. @throws LauncherError when it is not whole, or of a newer version than this */
export async function checkBackup(
  file: string,
  hub: CheckingHub,
  signal: AbortSignal,
): Promise<CheckedBackup> {
  const { digests, documents, missingRecordings } = await readContent(file, hub.recordingsDir, signal);
  const heading = parse<Heading>(documents.get(entryNames.heading));
  if (heading === undefined) throw new LauncherError(`${file} is not a backup of Birdhub.`);
  refuseNewer(file, heading, hub);
  const manifest = parse<Manifest>(documents.get(entryNames.manifest));
  const settingsKeys = documents.get(entryNames.settingsKeys);
  if (manifest === undefined || settingsKeys === undefined || !isDeepStrictEqual(digests, listed(manifest))) {
    throw new LauncherError(
      `${file} is damaged (its parts are not those it was made of). Nothing was changed.`,
    );
  }
  return { file, manifest, settingsKeys, missingRecordings };
}

async function readContent(file: string, recordingsDir: string, signal: AbortSignal): Promise<Content> {
  const digests = new Map<string, Digest>();
  const documents = new Map<string, Buffer>();
  let missingRecordings = 0;
  for await (const { name, chunks } of readSections(readArchive(file))) {
    const found = await digest(chunks, async (chunk) => {
      signal.throwIfAborted();
      if (documentNames.includes(name)) documents.set(name, chunk);
      if (name === entryNames.recordings) missingRecordings += await countMissing(chunk, recordingsDir);
    });
    if (name !== entryNames.heading && name !== entryNames.manifest) digests.set(name, found);
  }
  return { digests, documents, missingRecordings };
}

/** A table without rows has no entry. */
function listed({ tables, settings_keys, recordings }: Manifest): Map<string, Digest> {
  const all: (readonly [string, Digest])[] = [
    [entryNames.settingsKeys, settings_keys],
    ...tables.map((table) => [sectionOfTable(table.name), table] as const),
    [entryNames.recordings, recordings],
  ];
  const digests = all.map(([name, { bytes, sha256 }]) => [name, { bytes, sha256 }] as const);
  return new Map(digests.filter(([, { bytes }]) => bytes > 0));
}

function parse<T>(content: Buffer | undefined): T | undefined {
  return content === undefined ? undefined : JSON.parse(content.toString('utf8'));
}

function refuseNewer(file: string, { format, migrations, hub_version }: Heading, hub: CheckingHub): void {
  const isKnown = format === backupFormat && migrations.every((name) => hub.migrations.includes(name));
  if (isKnown) return;
  throw new LauncherError(
    `${file} was made by a newer Birdhub (${hub_version}) than this one (${hub.version}): update first. Nothing was changed.`,
  );
}
