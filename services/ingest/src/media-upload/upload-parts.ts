import { createHash, randomUUID } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import {
  type FileHandle,
  link,
  lstat,
  open,
  opendir,
  readdir,
  rename,
  rmdir,
  unlink,
} from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { errorCode, HubError, undefinedIfMissing } from '@birdhub/shared/errors';
import { dayMs } from '@birdhub/shared/time';
import { removeCreatedFolders, syncTarget, type UploadTarget } from './upload-target.js';

/** The stored part of an unfinished upload. */
export interface StoredPart {
  readonly received: number;
  readonly total: number;
  /** Whether a process is writing to it. */
  readonly isInUse: boolean;
}

/** The name of a part contains its process, so that other processes can check whether it still runs. */
const host = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
const processStart = Math.floor(Date.now() - performance.now()).toString(36);
const owner = `${host}-${process.pid}-${processStart}`;

/**
 * `.upload-<file>[-<total>][.<owner>].part`; only parts with a total can be continued. `.jpg` is appended to the name of
 * a draft for the picture that it is made of.
 */
const partPattern =
  /^\.upload-([0-9a-f]{16})(?:-(\d{1,15}))?(?:\.([0-9a-f]{8})-(\d{1,10})-([0-9a-z]{1,12}))?\.part(?:\.jpg)?$/;

interface PartName {
  readonly name: string;
  readonly file: string;
  readonly total: number | undefined;
  readonly owner: { readonly host: string; readonly pid: number; readonly start: string } | undefined;
}

function parsePartName(name: string): PartName | undefined {
  const [matched, file = '', total, ownerHost, pid, start = ''] = partPattern.exec(name) ?? [];
  if (matched === undefined) return undefined;
  return {
    name,
    file,
    total: total === undefined ? undefined : Number(total),
    owner: ownerHost === undefined ? undefined : { host: ownerHost, pid: Number(pid), start },
  };
}

const fileKey = (name: string) => createHash('sha256').update(name).digest('hex').slice(0, 16);
const partPrefix = (name: string) => `.upload-${fileKey(name)}`;
const ownPartName = (name: string, total?: number) =>
  `${partPrefix(name)}${total === undefined ? '' : `-${total}`}.${owner}.part`;
const freePartName = (name: string, total: number) => `${partPrefix(name)}-${total}.part`;

/** A part that was not written to for this long has no writer; the processes of other machines cannot be checked. */
const maxSilenceMs = 600_000;
/** How long an unfinished part is kept. */
const maxPartAgeMs = dayMs;

/** Whether the process that writes to a part is running. */
function hasWriter({ owner: writer }: PartName, ageMs: number): boolean {
  if (writer === undefined) return false;
  if (writer.host !== host) return ageMs < maxSilenceMs;
  if (writer.pid === process.pid) return writer.start === processStart;
  try {
    process.kill(writer.pid, 0);
    return ageMs < maxSilenceMs;
  } catch (error) {
    return errorCode(error) === 'EPERM' && ageMs < maxSilenceMs;
  }
}

interface FoundPart extends PartName {
  readonly size: number;
  readonly isInUse: boolean;
}

/** Returns the parts of a file; releases those of ended processes. */
async function listParts({ folder, name }: UploadTarget, now: number): Promise<FoundPart[]> {
  const key = fileKey(name);
  const found: FoundPart[] = [];
  for (const entry of await readdir(folder)) {
    const part = parsePartName(entry);
    if (part?.file !== key) continue;
    const stats = await undefinedIfMissing(lstat(join(folder, entry)));
    if (stats === undefined) continue;
    const isInUse = hasWriter(part, now - stats.mtimeMs);
    if (!isInUse && part.owner) await releaseAbandoned(folder, part);
    if (isInUse || part.total !== undefined) found.push({ ...part, size: stats.size, isInUse });
  }
  return found;
}

/** Releases a part of an ended process if it can be resumed, else removes it. */
async function releaseAbandoned(folder: string, { name, file, total }: PartName): Promise<void> {
  const path = join(folder, name);
  await undefinedIfMissing(
    total === undefined ? unlink(path) : rename(path, join(folder, `.upload-${file}-${total}.part`)),
  );
}

/** The file of a part that waits to be resumed. */
export interface WaitingPart {
  /** Its name in the folder of the target. */
  readonly name: string;
  /** With which the names of all parts of the target begin. */
  readonly prefix: string;
  /** Undefined when there is none. */
  readonly stats: Stats | undefined;
}

/** Returns the file of the resumable part of `total` bytes, unless there is none or a process is writing to it. */
export async function statPart(
  { folder, name }: Pick<UploadTarget, 'folder' | 'name'>,
  total: number | undefined,
): Promise<WaitingPart> {
  const prefix = partPrefix(name);
  if (total === undefined) return { name: prefix, prefix, stats: undefined };
  const part = freePartName(name, total);
  return { name: part, prefix, stats: await undefinedIfMissing(lstat(join(folder, part))) };
}

/** Returns the resumable part of a file. */
export async function findPart(target: UploadTarget, now: number): Promise<StoredPart | undefined> {
  const parts = await listParts(target, now);
  const part = parts.find(({ total }) => total !== undefined);
  return part?.total === undefined
    ? undefined
    : { received: part.size, total: part.total, isInUse: part.isInUse };
}

/** A part that is being written by this process. */
export interface OpenPart {
  readonly handle: FileHandle;
  readonly path: string;
  /** Undefined for a part that cannot be resumed. */
  readonly total: number | undefined;
  readonly target: UploadTarget;
  /** Names of parts that become obsolete when this one is published. */
  readonly others: readonly string[];
}

/** Opens a new part for a whole file, which cannot be resumed. @throws HubError upload_in_progress */
export async function openWholePart(target: UploadTarget, now: number): Promise<OpenPart> {
  const parts = await listParts(target, now);
  if (parts.some(({ isInUse }) => isInUse)) throw new HubError('upload_in_progress');
  const path = join(target.folder, ownPartName(target.name));
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW;
  const others = parts.map(({ name }) => name);
  return { handle: await open(path, flags, 0o666), path, total: undefined, target, others };
}

/**
 * Opens the part of a file of `total` bytes for appending, or a new one at offset 0. An upload with another total
 * replaces the part and starts over.
 * @throws HubError upload_in_progress, upload_offset_mismatch
 */
export async function openResumablePart(
  target: UploadTarget,
  { first, total }: { readonly first: number; readonly total: number },
  now: number,
): Promise<OpenPart> {
  const parts = await listParts(target, now);
  if (parts.some(({ isInUse }) => isInUse)) throw new HubError('upload_in_progress');
  const known = parts.find((part) => part.total === total);
  if ((known?.size ?? 0) !== first) throw offsetMismatch(known?.size ?? 0, total);
  for (const other of parts)
    if (other.total !== total) await undefinedIfMissing(unlink(join(target.folder, other.name)));
  const free = join(target.folder, freePartName(target.name, total));
  const path = join(target.folder, ownPartName(target.name, total));
  if (!known)
    await (await open(free, constants.O_CREAT | constants.O_WRONLY | constants.O_NOFOLLOW, 0o666)).close();
  // The rename succeeds in only one of several processes.
  const isTaken = await undefinedIfMissing(rename(free, path).then(() => true));
  if (!isTaken) throw new HubError('upload_in_progress');
  const handle = await open(path, constants.O_RDWR | constants.O_NOFOLLOW);
  const { size } = await handle.stat();
  const part = { handle, path, total, target, others: [] };
  if (size === first) return part;
  await releasePart(part);
  throw offsetMismatch(size, total);
}

/** Returns the error for a range that does not start where the stored bytes end. */
function offsetMismatch(received: number, total: number): HubError {
  return new HubError('upload_offset_mismatch', {
    details: [{ path: 'content-range', message: `must begin at byte ${received}` }],
    extra: { received, total },
  });
}

/** Closes a part. A non-empty resumable one is kept for a day, others are removed. */
export async function releasePart({ handle, path, total, target }: OpenPart): Promise<void> {
  const { size } = await handle.stat();
  await handle.close();
  const isKept = total !== undefined && size > 0;
  await undefinedIfMissing(
    isKept ? rename(path, join(target.folder, freePartName(target.name, total))) : unlink(path),
  );
}

/** Closes and removes a part. */
export async function removePart({ handle, path }: OpenPart): Promise<void> {
  await handle.close();
  await undefinedIfMissing(unlink(path));
}

/** Error codes of file systems without hard links. */
const noLinkCodes: ReadonlySet<string> = new Set([
  'EPERM',
  'ENOSYS',
  'ENOTSUP',
  'EOPNOTSUPP',
  'EMLINK',
  'EINVAL',
]);

/**
 * Publishes a complete part under its name, durably. Returns false when a file of that name exists, which is never
 * replaced.
 */
export async function publishPart({ handle, path, target, others }: OpenPart): Promise<boolean> {
  await handle.sync();
  const file = join(target.folder, target.name);
  try {
    await link(path, file);
    await unlink(path);
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    if (!noLinkCodes.has(errorCode(error) ?? '')) throw error;
    if (await undefinedIfMissing(lstat(file))) return false;
    await rename(path, file);
  }
  await handle.close();
  for (const name of others) await undefinedIfMissing(unlink(join(target.folder, name)));
  await syncTarget(target);
  return true;
}

/** A temporary file in the target folder. */
export interface DraftFile {
  /** Renames it durably to its final name, replacing an earlier file; idempotent. */
  publish(): Promise<void>;
  /** Removes it unless it was published. */
  discard(): Promise<void>;
}

/**
 * Chooses the name of a draft in the target folder, by which {@link sweepParts} recognises it. The caller writes and
 * syncs it.
 */
export function planDraft(target: UploadTarget): DraftFile & { readonly path: string } {
  const path = join(target.folder, ownPartName(randomUUID()));
  let isPublished = false;
  return {
    path,
    async discard() {
      if (isPublished) return;
      await undefinedIfMissing(unlink(path));
      await removeCreatedFolders(target);
    },
    async publish() {
      if (isPublished) return;
      await rename(path, join(target.folder, target.name));
      isPublished = true;
      await syncTarget(target);
    },
  };
}

/** Writes a complete file as a draft. */
export async function writeDraft(target: UploadTarget, bytes: Buffer): Promise<DraftFile> {
  const draft = planDraft(target);
  try {
    const flags = constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY;
    const handle = await open(draft.path, flags, 0o666);
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    await draft.discard();
    throw error;
  }
  return draft;
}

/** Removes parts of ended processes and parts that were not resumed within a day. Returns their number. */
export async function sweepParts(recordingsDir: string, now: number, signal: AbortSignal): Promise<number> {
  let removed = 0;
  const folders = [recordingsDir];
  for (let folder = folders.pop(); folder !== undefined && !signal.aborted; folder = folders.pop()) {
    const entries = await undefinedIfMissing(opendir(folder, { bufferSize: 256 }));
    if (!entries) continue;
    for await (const entry of entries) {
      if (entry.isDirectory() && !entry.name.startsWith('.')) folders.push(join(folder, entry.name));
      else if (entry.isFile())
        removed += await sweepPart(folder, entry.name, { now, isRoot: folder === recordingsDir });
    }
  }
  return removed;
}

async function sweepPart(
  folder: string,
  name: string,
  { now, isRoot }: { readonly now: number; readonly isRoot: boolean },
): Promise<number> {
  const part = parsePartName(name);
  const stats = part && (await undefinedIfMissing(lstat(join(folder, name))));
  if (!part || !stats) return 0;
  const ageMs = now - stats.mtimeMs;
  if (hasWriter(part, ageMs)) return 0;
  // A part with a second link was published before its process ended.
  const isObsolete = part.total === undefined || ageMs > maxPartAgeMs || stats.nlink > 1;
  if (!isObsolete) {
    if (part.owner) await releaseAbandoned(folder, part);
    return 0;
  }
  await undefinedIfMissing(unlink(join(folder, name)));
  if (!isRoot) await rmdir(folder).catch(() => undefined);
  return 1;
}
