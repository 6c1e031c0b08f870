import { createLimiter, createSingleFlight } from '@birdhub/shared/async';
import type { Clock } from '@birdhub/shared/time';
import type pg from 'pg';
import { composeReport } from './compose-report.js';
import { topSpeciesCount } from './drawing/theme.js';
import type { FindPictures } from './find-pictures.js';
import type { RenderOrder } from './render-in-worker.js';
import { readReportFacts } from './report.store.js';
import type { ReportPeriod } from './report-period.js';

/** What a report is asked for: a period, and the names that stand on it. */
export interface WantedReport {
  readonly period: ReportPeriod;
  /** The hub's own name. */
  readonly hub: string;
  /** Where the hub is; empty when nobody said. */
  readonly place: string;
}

/** Makes reports. */
export interface ReportMaker {
  /**
   * The report as PDF; those who want the same at once share one rendering.
   * @throws HubError busy, the reason of an abort
   */
  make(wanted: WantedReport, signal: AbortSignal): Promise<Buffer>;
}

/** What reports are made with. */
export interface ReportMakerOptions {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly findPictures: FindPictures;
  readonly render: (order: RenderOrder, signal: AbortSignal) => Promise<Buffer>;
}

const renderingLimits = { max: 2, maxWaiting: 16, waitTimeoutMs: 15_000 };

/** Makes reports, two at once at most and some that wait; one that nobody waits for any longer is given up. */
export function createReportMaker({ pool, clock, findPictures, render }: ReportMakerOptions): ReportMaker {
  const flights = createSingleFlight<Buffer>();
  const limiter = createLimiter(renderingLimits);

  async function makeAlone(wanted: WantedReport, signal: AbortSignal): Promise<Buffer> {
    signal.throwIfAborted();
    const facts = await readReportFacts(pool, wanted.period);
    const report = composeReport(facts, { ...wanted, now: clock.now() });
    const top = report.species.slice(0, topSpeciesCount).map(({ id }) => id);
    const pictures = await findPictures(top, wanted.period.window);
    return render({ report, pictures }, signal);
  }

  return {
    make(wanted, signal) {
      const { period, hub, place } = wanted;
      const key = JSON.stringify([period.title, period.window, period.zone, hub, place]);
      const makeShared = (shared: AbortSignal) =>
        limiter.run(() => makeAlone(wanted, shared), { signal: shared });
      return flights.run(key, makeShared, signal);
    },
  };
}
