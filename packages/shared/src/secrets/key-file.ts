import { randomBytes } from 'node:crypto';
import {
  chownSync,
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { KeySource } from './key-source.js';

/** Keys that the hub made itself, one a line in a file that only its owner reads. */
export interface KeyFile extends KeySource {
  /** Makes a new key that seals from now on; the others still open. */
  add(): void;
  /** Drops the keys that are no longer of use; the first always stays. */
  retain(isUsed: (key: string) => boolean): void;
}

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT';
const isThere = (error: unknown) => (error as NodeJS.ErrnoException).code === 'EEXIST';
const newKey = () => randomBytes(32).toString('base64');

function syncFolder(folder: string): void {
  // Windows has no such thing, and needs none.
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  fsyncSync(handle);
  closeSync(handle);
}

/** Puts the keys on the disk beside the file, and has them take its place at once: a kill leaves the old or the new. */
function place(path: string, keys: readonly string[], take: (draft: string) => void): void {
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  const handle = openSync(draft, 'wx', 0o600);
  try {
    writeSync(handle, `${keys.join('\n')}\n`);
    fsyncSync(handle);
    closeSync(handle);
    take(draft);
    syncFolder(dirname(path));
  } finally {
    rmSync(draft, { force: true });
  }
}

/** The key file at a path. */
export function keyFile(path: string): KeyFile {
  function read(): string[] {
    try {
      return readFileSync(path, 'utf8').split(/\s+/).filter(Boolean);
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  }

  /** Several services may do so at once: one of them makes the file, all have what it holds. */
  function make(): void {
    mkdirSync(dirname(path), { recursive: true });
    try {
      place(path, [newKey()], (draft) => linkSync(draft, path));
    } catch (error) {
      if (!isThere(error)) throw error;
    }
  }

  function readOrMake(): string[] {
    const keys = read();
    if (keys.length) return keys;
    make();
    return read();
  }

  function replace(keys: readonly string[]): void {
    const { uid, gid } = statSync(path);
    place(path, keys, (draft) => {
      // Whoever turns keys over may be root, and the services are not.
      chownSync(draft, uid, gid);
      renameSync(draft, path);
    });
  }

  return {
    read,
    readOrMake,
    add: () => replace([newKey(), ...readOrMake()]),
    retain(isUsed) {
      const keys = read();
      const kept = keys.filter((key, index) => index === 0 || isUsed(key));
      if (kept.length < keys.length) replace(kept);
    },
  };
}
