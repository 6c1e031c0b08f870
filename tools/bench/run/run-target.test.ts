import { describe, expect, it } from 'vitest';
import type { BenchCase } from '../cases/bench-case.js';
import { scales } from '../data-set/scale.js';
import type { ResultRow } from '../report/result-row.js';
import { runTarget } from './run-target.js';

const target = { repository: '', store: '', scale: scales['100k'] };
const row: ResultRow = { title: 'second start', single: { value: 2, unit: 's' } };
const createCase = (name: string, run: () => Promise<ResultRow[]>): BenchCase => ({
  name,
  about: '',
  kind: 'start',
  run,
});
const failure = new Error('tsc is missing');

describe('runTarget', () => {
  it('with a failing case, returns the rows of the others and the failures by name', async () => {
    const finished: string[] = [];
    const cases = [
      createCase('first', () => Promise.reject(failure)),
      createCase('second', async () => [row]),
    ];
    const { results, failures } = await runTarget(target, cases, 10, (name) => finished.push(name));
    expect(results.cases).toEqual({ second: [row] });
    expect(finished).toEqual(['second']);
    expect(failures.map(({ message, cause }) => [message, cause])).toEqual([['first failed', failure]]);
  });

  it('when the hub for loads does not start, continues with the cases that start hubs', async () => {
    const load: BenchCase = { name: 'reads', about: '', kind: 'load', run: async () => [row] };
    const start = createCase('start-up', async () => [row]);
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
