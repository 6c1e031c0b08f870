import { describe, expect, it } from 'vitest';
import type { BenchCase } from '../cases/bench-case.js';
import { scales } from '../data-set/scale.js';
import type { ResultRow } from '../report/result-row.js';
import { runTarget } from './run-target.js';

const target = { repository: '', store: '', scale: scales['100k'] };
const row: ResultRow = { title: 'second start', single: { value: 2, unit: 's' } };
const aCase = (name: string, run: () => Promise<ResultRow[]>): BenchCase => ({
  name,
  about: '',
  kind: 'start',
  run,
});
const failure = new Error('tsc is missing');

describe('runTarget', () => {
  it('with a case that fails, has the rows of the others and names each failure', async () => {
    const told: string[] = [];
    const cases = [aCase('first', () => Promise.reject(failure)), aCase('second', async () => [row])];
    const { results, failures } = await runTarget(target, cases, 10, (name) => told.push(name));
    expect(results.cases).toEqual({ second: [row] });
    expect(told).toEqual(['second']);
    expect(failures.map(({ message, cause }) => [message, cause])).toEqual([['first failed', failure]]);
  });

  it('with a hub of the loads that does not start, goes on to the cases that start hubs', async () => {
    const load: BenchCase = { name: 'reads', about: '', kind: 'load', run: async () => [row] };
    const start = aCase('start-up', async () => [row]);
    const { results, failures } = await runTarget(
      { ...target, store: '/nowhere/store' },
      [load, start],
      10,
      () => undefined,
    );
    expect(results.cases).toEqual({ 'start-up': [row] });
    expect(failures.map(({ message }) => message)).toEqual(['the hub of the loads failed']);
  });
});
