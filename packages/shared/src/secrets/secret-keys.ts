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
import { dirname, join } from 'node:path';
import { errorCode } from '../errors/index.js';

/** A source of keys for secrets. The first key seals, all keys open. */
export interface KeySource {
  /** Returns the current keys; empty when none was generated yet. */
  read(): readonly string[];
  /** Returns the current keys; generates the first one when there is none. */
  readOrCreate(): readonly string[];
}

/** Configuration of the keys for secrets. */
export interface SecretsConfig {
  readonly secretsKey?: string;
  readonly dataDir: string;
}

/** The file of the keys that the hub generates. */
export const keyFileIn = (dataDir: string): KeyFile => keyFile(join(dataDir, 'settings.key'));

/** Returns the keys of `SECRETS_KEY`, if set, else those of the file in `DATA_DIR`. */
export function secretKeys({ secretsKey, dataDir }: SecretsConfig): KeySource {
  return secretsKey === undefined ? keyFileIn(dataDir) : givenKeys(secretsKey);
}

/** Returns the comma-separated keys of an environment variable. */
export function givenKeys(list: string): KeySource {
  const keys = list
    .split(',')
    .map((key) => key.trim())
    .filter((key) => key !== '');
  return { read: () => keys, readOrCreate: () => keys };
}

/** Generated keys, one per line in a file that only its owner can read. */
export interface KeyFile extends KeySource {
  /** Adds a new key, which is used for sealing from now on; the other keys are only used for opening. */
  add(): void;
  /** Removes unused keys, except the first. */
  retain(isUsed: (key: string) => boolean): void;
}

const isMissing = (error: unknown) => errorCode(error) === 'ENOENT';
const isExisting = (error: unknown) => errorCode(error) === 'EEXIST';
const newKey = () => randomBytes(32).toString('base64');

function syncFolder(folder: string): void {
  // Windows cannot open folders.
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  fsyncSync(handle);
  closeSync(handle);
}

/** Writes the keys to a draft, which `install` makes the file, so that a crash leaves either the old or the new file. */
function writeKeys(path: string, keys: readonly string[], install: (draft: string) => void): void {
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  const handle = openSync(draft, 'wx', 0o600);
  try {
    writeSync(handle, `${keys.join('\n')}\n`);
    fsyncSync(handle);
    closeSync(handle);
    install(draft);
    syncFolder(dirname(path));
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Returns the key file at a path, which may not exist yet. */
export function keyFile(path: string): KeyFile {
  function read(): string[] {
    try {
      return readFileSync(path, 'utf8').split(/\s+/).filter(Boolean);
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  }

  /** Services may call this concurrently: one creates the file, and all use its content. */
  function create(): void {
    mkdirSync(dirname(path), { recursive: true });
    try {
      writeKeys(path, [newKey()], (draft) => linkSync(draft, path));
    } catch (error) {
      if (!isExisting(error)) throw error;
    }
  }

  function readOrCreate(): string[] {
    const keys = read();
    if (keys.length) return keys;
    create();
    return read();
  }

  function replace(keys: readonly string[]): void {
    const { uid, gid } = statSync(path);
    writeKeys(path, keys, (draft) => {
      // Keys may be rotated as root; the services run as another user.
      chownSync(draft, uid, gid);
      renameSync(draft, path);
    });
  }

  return {
    read,
    readOrCreate,
    add: () => replace([newKey(), ...readOrCreate()]),
    retain(isUsed) {
      const keys = read();
      const kept = keys.filter((key, index) => index === 0 || isUsed(key));
      if (kept.length < keys.length) replace(kept);
    },
  };
}
