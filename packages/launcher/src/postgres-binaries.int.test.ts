import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { setPrivateUmask } from './data-folder.js';
import { ensureReachable } from './postgres-binaries.js';

/** A user that owns nothing here. */
const stranger = { uid: 64_321, gid: 64_321 };
let folder: string;
let binaries: { initdb: string; postgres: string };
const cacheDir = () => join(folder, 'cache/birdhub');

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'birdhub-reach-'));
  chmodSync(folder, 0o755);
  const bin = join(folder, 'closed/native/bin');
  mkdirSync(bin, { recursive: true });
  binaries = { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') };
  for (const file of Object.values(binaries)) writeFileSync(file, file, { mode: 0o755 });
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('ensureReachable', () => {
  it('binaries that the server user can access, are used in place', async () => {
    expect(await ensureReachable(binaries, stranger, cacheDir())).toBe(binaries);
    expect(await ensureReachable(binaries, undefined, cacheDir())).toBe(binaries);
    expect(existsSync(cacheDir())).toBe(false);
  });

  it('binaries below a private folder, are copied once, and the folder stays private', async () => {
    chmodSync(join(folder, 'closed'), 0o700);
    const copied = await ensureReachable(binaries, stranger, cacheDir());
    expect(readFileSync(copied.postgres, 'utf8')).toBe(binaries.postgres);
    expect(readFileSync(copied.initdb, 'utf8')).toBe(binaries.initdb);
    expect(await ensureReachable(binaries, stranger, cacheDir())).toEqual(copied);
    expect(statSync(join(folder, 'closed')).mode & 0o777).toBe(0o700);
  });

  it('a copy made with a private umask, is accessible to the server user', async () => {
    chmodSync(join(folder, 'closed'), 0o700);
    mkdirSync(dirname(cacheDir()));
    const before = process.umask();
    setPrivateUmask();
    const copied = await ensureReachable(binaries, stranger, cacheDir()).finally(() => process.umask(before));
    const modes = [cacheDir(), dirname(copied.postgres), copied.postgres].map(
      (path) => statSync(path).mode & 0o777,
    );
    expect(modes).toEqual([0o755, 0o755, 0o755]);
  });

  it('a cache that is not accessible either, is reported with what to do', async () => {
    chmodSync(join(folder, 'closed'), 0o700);
    const refused = ensureReachable(binaries, stranger, join(folder, 'closed/cache'));
    await expect(refused).rejects.toThrow('start Birdhub as another user');
  });
});
