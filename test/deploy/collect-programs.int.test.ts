import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const script = fileURLToPath(new URL('../../deploy/collect-programs.sh', import.meta.url));

/** A fake of Debian's dpkg, in which each file belongs to a package of its own name. */
const dpkg = `#!/bin/sh
case $1 in
  -S) echo "$(basename "$2"):amd64: $2" ;;
  -s) printf 'Package: %s\\nVersion: 1\\n' "$2" ;;
esac
`;
const ldd = `#!/bin/sh
case $1 in
  *painter) printf '\\tlinux-vdso.so.1 (0x1)\\n\\tlibpaint.so.2 => %s/libpaint.so.2 (0x2)\\n\\tlibc.so.6 => %s/libc.so.6 (0x3)\\n' "$LIBRARIES" "$LIBRARIES" ;;
  *broken) printf '\\tlibgone.so.1 => not found\\n' ;;
esac
`;

describe('deploy/collect-programs.sh', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'birdhub-collect-'));
    mkdirSync(join(folder, 'bin'));
    mkdirSync(join(folder, 'lib'));
    const programs = { dpkg, ldd, painter: '#!/bin/sh\n', broken: '#!/bin/sh\n' };
    for (const [name, text] of Object.entries(programs)) {
      writeFileSync(join(folder, 'bin', name), text);
      chmodSync(join(folder, 'bin', name), 0o755);
    }
    for (const name of ['libpaint.so.2', 'libc.so.6']) writeFileSync(join(folder, 'lib', name), name);
    writeFileSync(join(folder, 'base'), 'libc.so.6\n');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const collect = (program: string) =>
    promisify(execFile)('/bin/sh', [script, join(folder, 'out'), join(folder, 'base'), program], {
      env: { PATH: `${join(folder, 'bin')}:${process.env['PATH']}`, LIBRARIES: join(folder, 'lib') },
    });
  const collected = (path: string) => join(folder, 'out', path);

  it('a program, is copied with the libraries that images lack, and their packages are recorded', async () => {
    await collect('painter');
    expect(existsSync(collected(join(folder, 'bin/painter')))).toBe(true);
    expect(readFileSync(collected(join(folder, 'lib/libpaint.so.2')), 'utf8')).toBe('libpaint.so.2');
    expect(existsSync(collected(join(folder, 'lib/libc.so.6')))).toBe(false);
    expect(readFileSync(collected('var/lib/dpkg/status.d/libpaint.so.2'), 'utf8')).toContain('Version: 1');
  });

  it.each([
    ['broken', /libgone\.so\.1 => not found/],
    ['nowhere-to-be-found', /./],
  ])('with the program %s, fails', async (program, reason) => {
    await expect(collect(program)).rejects.toMatchObject({
      code: expect.any(Number),
      message: expect.stringMatching(reason),
    });
  });
});
