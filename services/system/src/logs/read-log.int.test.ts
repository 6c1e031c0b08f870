import { appendFile, mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readLog } from './logs.js';

describe('readLog', () => {
  let folder: string;
  let log: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hub-log-'));
    log = join(folder, 'processor.log');
  });
  afterEach(() => rm(folder, { recursive: true }));

  const numbered = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}`);

  it.each([
    ['', []],
    ['\n', ['']],
    ['a', ['a']],
    ['a\n', ['a']],
    ['a\nb', ['a', 'b']],
    ['a\n\nb\r\n', ['a', '', 'b']],
    ['a\nb\nc\nd\n', ['b', 'c', 'd']],
    ['a\nb\nc\nd', ['b', 'c', 'd']],
  ])('for the last three lines of %j, returns %j', async (text, lines) => {
    await writeFile(log, text);
    expect(await readLog(log, 3)).toEqual(lines);
  });

  it('a file of many chunks, with any number of lines, gives exactly the last lines', async () => {
    const all = numbered(1, 20_000);
    await writeFile(log, `${all.join('\n')}\n`);
    for (const count of [1, 2, 4_999, 5_000]) expect(await readLog(log, count)).toEqual(all.slice(-count));
  });

  it('line breaks at the ends of chunks, are found', async () => {
    const all = Array.from({ length: 40 }, (_, index) => String(index).padStart(16_383, '.'));
    await writeFile(log, all.join('\n'));
    const shown = await readLog(log, 40);
    expect(shown).toHaveLength(40);
    await writeFile(log, `${all.join('\n')}\n`);
    expect(await readLog(log, 7)).toEqual(shown?.slice(-7));
  });

  it('without a file, is undefined', async () => {
    expect(await readLog(log, 3)).toBeUndefined();
  });

  it('a folder or a device with this name, is undefined', async () => {
    await mkdir(log);
    expect(await readLog(log, 3)).toBeUndefined();
    expect(await readLog('/dev/zero', 3)).toBeUndefined();
  });

  it('a short file, is continued by its rotated files, oldest first', async () => {
    await writeFile(log, 'line 7\n');
    await writeFile(`${log}.1`, 'line 4\nline 5\nline 6\n');
    await writeFile(`${log}.2`, 'line 2\nline 3\n');
    expect(await readLog(log, 1)).toEqual(['line 7']);
    expect(await readLog(log, 3)).toEqual(numbered(5, 7));
    expect(await readLog(log, 5)).toEqual(numbered(3, 7));
    expect(await readLog(log, 50)).toEqual(numbered(2, 7));
  });

  it('a new empty file after a rotation, is continued by the previous one', async () => {
    await writeFile(log, '');
    await writeFile(`${log}.1`, 'line 1\n');
    expect(await readLog(log, 9)).toEqual(['line 1']);
  });

  it('a missing file after a rotation, is replaced by the previous one', async () => {
    await writeFile(`${log}.1`, 'line 1\n');
    expect(await readLog(log, 9)).toEqual(['line 1']);
  });

  it('a very long line, is cut and does not fill the memory', async () => {
    await writeFile(log, 'x'.repeat(1_000_000));
    await appendFile(log, '\nlast\n');
    const [first, last] = (await readLog(log, 2)) ?? [];
    expect([first?.length, last]).toEqual([4_097, 'last']);
  });

  it('a file of 1 TB, most of it without a line break, is read from its end in little memory', async () => {
    await writeFile(log, '');
    await truncate(log, 1024 * 1_073_741_824);
    await appendFile(log, `\n${numbered(1, 100).join('\n')}\n`);
    const before = process.memoryUsage().rss;
    expect(await readLog(log, 100)).toEqual(numbered(1, 100));
    const wide = await readLog(log, 5_000);
    expect(wide).toHaveLength(101);
    expect(wide?.[0]).toMatch(/^(\\u0000)+…$/);
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1_048_576);
  });
});
