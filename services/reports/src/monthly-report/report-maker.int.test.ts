import { createTestDatabase, type TestDatabase } from '@birdhub/testing';
import { manualClock } from '@birdhub/testing/clocks';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ReportFormat } from './format.js';
import type { RenderJob } from './render-in-worker.js';
import type { Report, ReportRequest } from './report.js';
import { ReportMaker } from './report-maker.js';
import { readPeriod } from './report-period.js';

/** A rendering in progress. */
interface Rendering {
  readonly report: Report;
  readonly signal: AbortSignal;
  readonly finish: (text: string) => void;
  readonly fail: (error: Error) => void;
}

const wanted = (month: string, place = ''): ReportRequest => ({
  period: readPeriod({ month }, 'UTC', new ReportFormat('en')),
  language: 'en',
  units: 'metric',
  hub: 'Birdhub',
  place,
});

describe('ReportMaker', () => {
  let database: TestDatabase;
  let renderings: Rendering[];
  let maker: ReportMaker;
  const never = new AbortController().signal;
  const log = pino({ level: 'silent' });
  const clock = manualClock(Date.UTC(2026, 2, 15));
  const render = ({ report }: RenderJob, signal: AbortSignal) =>
    new Promise<Buffer>((resolve, reject) => {
      renderings.push({ report, signal, fail: reject, finish: (text) => resolve(Buffer.from(text)) });
    });
  const make = async (month: string, signal = never, place = '') =>
    (await maker.make(wanted(month, place), signal)).toString();
  const begun = async (count: number) => {
    await vi.waitFor(() => expect(renderings).toHaveLength(count));
    return renderings;
  };

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  const begin = () => {
    renderings = [];
    maker = new ReportMaker({ pool: database.pool, clock, dataDir: '/nowhere', log, render });
  };

  it('two equal requests at once, share one rendering', async () => {
    begin();
    const both = Promise.all([make('2026-03'), make('2026-03')]);
    const [only] = await begun(1);
    only?.finish('pdf');
    expect(await both).toEqual(['pdf', 'pdf']);
    expect(renderings).toHaveLength(1);
  });

  it('two requests for different places, have one rendering each', async () => {
    begin();
    const both = Promise.all([make('2026-03', never, 'here'), make('2026-03', never, 'there')]);
    for (const { report, finish } of await begun(2)) finish(report.place);
    expect(await both).toEqual(['here', 'there']);
  });

  it('one of two callers that leaves, does not affect the other', async () => {
    begin();
    const controller = new AbortController();
    const one = make('2026-03', controller.signal);
    const other = make('2026-03');
    const [only] = await begun(1);
    controller.abort();
    expect(only?.signal.aborted).toBe(false);
    only?.finish('pdf');
    expect(await other).toBe('pdf');
    expect(await one).toBe('pdf');
  });

  it('all callers that leave, abort the rendering', async () => {
    begin();
    const controller = new AbortController();
    const rendering = make('2026-03', controller.signal);
    const [only] = await begun(1);
    controller.abort();
    expect(only?.signal.aborted).toBe(true);
    only?.fail(new Error('stopped'));
    await expect(rendering).rejects.toThrow('stopped');
  });

  it('three requests at once, are rendered two at a time, and one failure affects only one', async () => {
    begin();
    const all = Promise.allSettled(['2026-01', '2026-02', '2026-03'].map((month) => make(month)));
    const [first] = await begun(2);
    first?.fail(new Error('no ink'));
    for (const { finish } of await begun(3)) finish('pdf');
    expect((await all).map(({ status }) => status).toSorted()).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
    ]);
  });

  it('more requests than may wait, are refused as busy, and the others are rendered', async () => {
    begin();
    const places = Array.from({ length: 20 }, (_, number) => `place ${number}`);
    const all = Promise.allSettled(
      places.map((place) => make('2026-03', new AbortController().signal, place)),
    );
    for (let finished = 0; finished < 18; finished += 1) {
      await vi.waitUntil(() => renderings.length > finished);
      renderings[finished]?.finish('pdf');
    }
    const refused = (await all).filter((result) => result.status === 'rejected');
    expect(refused.map(({ reason }) => reason.code)).toEqual(['busy', 'busy']);
  });

  it('the same request later, is rendered again with the new time', async () => {
    begin();
    const one = make('2026-03');
    (await begun(1))[0]?.finish('then');
    await one;
    clock.set(Date.UTC(2026, 2, 16));
    const other = make('2026-03');
    (await begun(2))[1]?.finish('now');
    expect(await other).toBe('now');
    expect(renderings.map(({ report }) => report.unfinished)).toEqual([
      '15 March 2026, 00:00',
      '16 March 2026, 00:00',
    ]);
  });
});
