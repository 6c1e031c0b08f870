import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { isIdle } from './idle-memory.js';

const mb = 1_000_000;

describe('isIdle', () => {
  it.each([
    ['mostly unused, is idle', { held: 33 * mb, used: 4 * mb }, { held: 33 * mb, used: 5 * mb }, true],
    ['in use, is not idle', { held: 33 * mb, used: 4 * mb }, { held: 33 * mb, used: 12 * mb }, false],
    ['collected since, is not idle', { held: 33 * mb, used: 15 * mb }, { held: 33 * mb, used: mb }, false],
    ['small, is not idle', { held: mb, used: 0 }, { held: mb, used: 0 }, false],
  ])('memory, %s', (_, before, now, expected) => {
    expect(isIdle(before, now)).toBe(expected);
  });
});

const program = `
  import { getHeapSpaceStatistics } from 'node:v8';
  import { releaseIdleMemory } from '${new URL('../../dist/app/idle-memory.js', import.meta.url)}';
  const held = () => getHeapSpaceStatistics().find((one) => one.space_name === 'new_space').physical_space_size;
  releaseIdleMemory();
  const kept = [];
  for (let i = 0; i < 3_000_000; i++) kept[i % 200_000] = { i };
  const busy = held();
  const endsAt = Date.now() + 60_000;
  while (held() > 2_000_000 && Date.now() < endsAt) await new Promise((resolve) => setTimeout(resolve, 100));
  console.log(JSON.stringify({ busy, rest: held() }));
`;

describe('releaseIdleMemory', () => {
  it('a process at rest after work, shrinks the space for new objects', async () => {
    const node = ['--input-type=module', '--eval', program];
    const cwd = fileURLToPath(new URL('.', import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, node, { cwd });
    const { busy, rest } = JSON.parse(stdout);
    expect(busy).toBeGreaterThan(8 * mb);
    expect(rest).toBeLessThan(2 * mb);
  });
});
