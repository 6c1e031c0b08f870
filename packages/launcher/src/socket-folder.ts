import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { LauncherError } from './launcher-error.js';

/** A folder whose path is short enough for Unix sockets. */
export interface SocketFolder {
  readonly path: string;
  /** Removes temporary folders and links. */
  remove(): Promise<void>;
}

/** Maximum path length of a Unix socket in bytes: 103 on macOS, 107 on Linux. */
const maxPathBytes = 103;

const temporaryPrefix = 'birdhub-sockets-';

/**
 * Returns a folder for Unix sockets that only its owner can enter: the wanted one, which is created if missing, or a
 * temporary one when its path is too long or its file system does not support sockets.
 * @param longestName the longest name of a socket in it
 */
export async function openSocketFolder(wanted: string, longestName: string): Promise<SocketFolder> {
  await mkdir(wanted, { recursive: true, mode: 0o700 });
  if (isShort(wanted, longestName) && (await supportsSockets(wanted))) return permanent(wanted);
  return makeTemporaryFolder(longestName);
}

/** Returns a short path to a folder with sockets: its own, or that of a temporary link. */
export async function openShortPath(folder: string, longestName: string): Promise<SocketFolder> {
  if (isShort(folder, longestName)) return permanent(folder);
  const name = basename(folder).slice(0, 8);
  const temporary = await makeTemporaryFolder(join(name, longestName));
  const path = join(temporary.path, name);
  await symlink(folder, path);
  return { ...temporary, path };
}

/** Removes the temporary folder of a socket that a killed launcher left behind. */
export async function removeLeftoverSocketFolder(socketPath: string): Promise<void> {
  const folder = dirname(socketPath);
  for (const path of [folder, dirname(folder)]) {
    if (basename(path).startsWith(temporaryPrefix)) await removeFolder(path);
  }
}

function isShort(folder: string, longestName: string): boolean {
  return Buffer.byteLength(join(folder, longestName)) <= maxPathBytes;
}

const permanent = (path: string): SocketFolder => ({ path, remove: async () => undefined });

async function makeTemporaryFolder(longestName: string): Promise<SocketFolder> {
  for (const parent of [tmpdir(), '/tmp']) {
    if (!isShort(join(parent, `${temporaryPrefix}123456`), longestName)) continue;
    const path = await mkdtemp(join(parent, temporaryPrefix)).catch(() => undefined);
    if (path !== undefined) return { path, remove: () => removeFolder(path) };
  }
  throw new LauncherError(
    'There is no folder for Unix sockets: set TMPDIR to a writable folder with a short path.',
  );
}

const removeFolder = (path: string) => rm(path, { recursive: true, force: true });

async function supportsSockets(folder: string): Promise<boolean> {
  const path = join(folder, '.probe');
  await rm(path, { force: true });
  const server = createServer();
  try {
    server.listen(path);
    await once(server, 'listening');
    server.close();
    await once(server, 'close');
    return true;
  } catch {
    return false;
  }
}
