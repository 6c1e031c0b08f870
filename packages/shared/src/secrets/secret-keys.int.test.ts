import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keyFile, keyFileIn, secretKeys } from './secret-keys.js';

describe('key file', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'birdhub-keys-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('missing, has no keys and is not created by a read', () => {
    const file = keyFile(join(folder, 'keys'));
    expect(file.read()).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('when needed, is created once, with its folder, readable by its owner only', () => {
    const path = join(folder, 'new/deep/keys');
    const [key] = keyFile(path).readOrCreate();
    expect(Buffer.from(key ?? '', 'base64')).toHaveLength(32);
    expect(keyFile(path).readOrCreate()).toEqual([key]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(folder, 'new/deep'))).toEqual(['keys']);
  });

  it('created by five processes at once, has one key that all of them use', async () => {
    const path = join(folder, 'keys');
    const module = new URL('../../dist/secrets/secret-keys.js', import.meta.url).href;
    const program = `import { keyFile } from ${JSON.stringify(module)};
      const at = ${Date.now() + 1_500};
      await new Promise((resolve) => setTimeout(resolve, at - 20 - Date.now()));
      while (Date.now() < at) {}
      console.log(keyFile(${JSON.stringify(path)}).readOrCreate().join());`;
    const run = () => promisify(execFile)('node', ['--input-type=module', '-e', program]);
    const outputs = await Promise.all(Array.from({ length: 5 }, run));
    const keys = new Set(outputs.map(({ stdout }) => stdout.trim()));
    expect([...keys]).toEqual(keyFile(path).read());
    expect(readdirSync(folder)).toEqual(['keys']);
  }, 30_000);

  it('with an added key, puts it first and keeps old ones while they are in use', () => {
    const path = join(folder, 'keys');
    const file = keyFile(path);
    const [first] = file.readOrCreate();
    file.add();
    const [second, ...old] = file.read();
    expect(old).toEqual([first]);
    expect(second).not.toBe(first);
    file.retain((key) => key === first);
    expect(file.read()).toEqual([second, first]);
    file.retain(() => false);
    expect(file.read()).toEqual([second]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('that cannot be created, throws', () => {
    const path = join(folder, 'keys');
    keyFile(path).readOrCreate();
    expect(() => keyFile(join(path, 'inside')).readOrCreate()).toThrow('ENOTDIR');
  });
});

describe('secretKeys', () => {
  it('with keys in the environment, uses them and creates no file', () => {
    const dataDir = join(tmpdir(), 'birdhub-no-such-folder');
    expect(secretKeys({ secretsKey: 'a,b', dataDir }).readOrCreate()).toEqual(['a', 'b']);
    expect(existsSync(dataDir)).toBe(false);
  });

  it('without keys in the environment, uses settings.key in the data folder', () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'birdhub-keys-'));
    const keys = secretKeys({ dataDir }).readOrCreate();
    expect(readFileSync(join(dataDir, 'settings.key'), 'utf8')).toBe(`${keys[0]}\n`);
    expect(keyFileIn(dataDir).read()).toEqual(keys);
    rmSync(dataDir, { recursive: true });
  });
});
