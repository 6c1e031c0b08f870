import { describe, expect, it } from 'vitest';
import { parseStat } from './proc.js';
import { groupProcesses } from './process-groups.js';

describe('parseStat', () => {
  it('with brackets and spaces in the name, reads the fields after it', () => {
    const line =
      '4711 (node (x) 1) S 815 4711 4711 0 -1 4194304 100 200 0 0 350 150 40 10 20 0 11 0 99999 1200000000 2500 18446744073709551615 1 1';
    expect(parseStat(line)).toEqual({ pid: 4711, parent: 815, cpuSeconds: 5.5, rssBytes: 2_500 * 4_096 });
  });
});

describe('groupProcesses', () => {
  const stat = (pid: number, parent: number) => ({ pid, parent, cpuSeconds: 0, rssBytes: 0 });
  const processes = [stat(1, 0), stat(10, 1), stat(20, 10), stat(21, 20), stat(22, 21), stat(30, 1)];
  const groups = groupProcesses(
    processes,
    new Map([
      ['launcher', 10],
      ['postgres', 20],
    ]),
  );
  const pidsOf = (name: string) => groups.get(name)?.map(({ pid }) => pid);

  it('below two roots, puts processes into the nearer group', () => {
    expect(pidsOf('postgres')).toEqual([20, 21, 22]);
    expect(pidsOf('launcher')).toEqual([10]);
  });

  it('below no root, leaves processes out', () => {
    expect([...groups.values()].flat().some(({ pid }) => pid === 1 || pid === 30)).toBe(false);
  });
});
