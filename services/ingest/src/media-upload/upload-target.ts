import { constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, realpath, rmdir, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { fileInRecordings } from '@birdhub/domain/media';
import { errorCode, HubError, invalidField, isMissingFile, undefinedIfMissing } from '@birdhub/shared/errors';

/** The target of an upload: a real folder inside the recordings tree, and a file name. */
export interface UploadTarget {
  readonly folder: string;
  readonly name: string;
  /** Folders that were created for this upload, deepest first. */
  readonly createdFolders: readonly string[];
}

/**
 * Returns the real folder of a path in the tree, undefined when it does not exist.
 * @throws HubError invalid_request when it is outside the tree or a file
 */
async function findFolder(root: string, folder: string): Promise<string | undefined> {
  const real = await realpath(folder).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return undefined;
    if (errorCode(error) === 'ENOTDIR')
      throw invalidField('path', 'must not have a file where a folder is needed');
    if (errorCode(error) === 'ELOOP') throw invalidField('path', 'must not contain a loop of symbolic links');
    throw error;
  });
  if (real === undefined) return undefined;
  if (real !== root && !real.startsWith(root + sep))
    throw invalidField('path', 'must be inside the recordings folder');
  if (!(await stat(real)).isDirectory())
    throw invalidField('path', 'must not have a file where a folder is needed');
  return real;
}

/** Returns the real recordings folder, which is created when it is missing. */
async function openRoot(recordingsDir: string): Promise<string> {
  await mkdir(recordingsDir, { recursive: true });
  return realpath(recordingsDir);
}

/** Returns the target of a validated path, undefined when its folder does not exist. @throws HubError invalid_request */
export async function findTarget(recordingsDir: string, path: string): Promise<UploadTarget | undefined> {
  const root = await undefinedIfMissing(realpath(recordingsDir));
  if (root === undefined) return undefined;
  const file = fileInRecordings(root, path);
  const folder = await findFolder(root, dirname(file));
  return folder === undefined ? undefined : { folder, name: basename(file), createdFolders: [] };
}

/** Returns the target of a validated path; creates missing folders. @throws HubError invalid_request */
export async function createTarget(recordingsDir: string, path: string): Promise<UploadTarget> {
  const root = await openRoot(recordingsDir);
  const file = fileInRecordings(root, path);
  const missing: string[] = [];
  let folder = dirname(file);
  let real = await findFolder(root, folder);
  while (real === undefined) {
    const found = await undefinedIfMissing(lstat(folder));
    // A dangling link exists but has no real path.
    if (found?.isSymbolicLink()) throw invalidField('path', 'must not contain a dangling symbolic link');
    // The folder may have been created by another upload in between.
    if (!found) {
      missing.push(basename(folder));
      folder = dirname(folder);
    }
    real = await findFolder(root, folder);
  }
  const createdFolders: string[] = [];
  for (const name of missing.reverse()) {
    real = join(real, name);
    const isCreated = await mkdir(real).then(
      () => true,
      async (error: unknown) => {
        if (errorCode(error) === 'EEXIST') return false;
        await removeCreatedFolders({ createdFolders });
        throw error;
      },
    );
    if (isCreated) createdFolders.unshift(real);
  }
  const created = missing.length ? await findFolder(root, real) : real;
  if (created === undefined) throw new HubError('conflict');
  return { folder: created, name: basename(file), createdFolders };
}

/** Returns whether no link leads from the tree to a target. */
export async function isDirectTarget(
  recordingsDir: string,
  { folder, name }: UploadTarget,
  path: string,
): Promise<boolean> {
  return join(folder, name) === fileInRecordings(await realpath(recordingsDir), path);
}

/** Removes the empty folders that were created for a failed upload. */
export async function removeCreatedFolders({
  createdFolders,
}: Pick<UploadTarget, 'createdFolders'>): Promise<void> {
  for (const folder of createdFolders) {
    const isRemoved = await rmdir(folder).then(
      () => true,
      () => false,
    );
    if (!isRemoved) return;
  }
}

/**
 * Opens the published file of a target for reading, undefined when there is none.
 * @throws HubError media_exists when something else has that name
 */
export async function openPublished({ folder, name }: UploadTarget): Promise<FileHandle | undefined> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const handle = await open(join(folder, name), flags).catch((error: unknown) => {
    if (isMissingFile(error)) return undefined;
    if (['ELOOP', 'EISDIR', 'ENXIO', 'EACCES'].includes(errorCode(error) ?? ''))
      throw new HubError('media_exists');
    throw error;
  });
  if (handle && !(await handle.stat()).isFile()) {
    await handle.close();
    throw new HubError('media_exists');
  }
  return handle;
}

/** Whether an open file still has the name of its target. */
export async function isStillPublished({ folder, name }: UploadTarget, handle: FileHandle): Promise<boolean> {
  const [named, opened] = await Promise.all([undefinedIfMissing(lstat(join(folder, name))), handle.stat()]);
  return named?.ino === opened.ino && named.dev === opened.dev;
}

/** Removes a published file, and the folders that were created for it. */
export async function removePublished(target: UploadTarget): Promise<void> {
  await undefinedIfMissing(unlink(join(target.folder, target.name)));
  await removeCreatedFolders(target);
}

/** Writes the names of a target's file and of the folders that were created for it to the disk. */
export async function syncTarget({ folder, createdFolders }: UploadTarget): Promise<void> {
  await syncFolder(folder);
  for (const created of createdFolders) await syncFolder(dirname(created));
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY);
  try {
    await handle.sync();
  } catch (error) {
    // Some network file systems cannot sync folders.
    if (!['EINVAL', 'ENOTSUP', 'EBADF'].includes(errorCode(error) ?? '')) throw error;
  } finally {
    await handle.close();
  }
}
