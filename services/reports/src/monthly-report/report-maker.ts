import { createLimiter, createSingleFlight } from '@birdhub/shared/async';
import type { Clock } from '@birdhub/shared/time';
import type pg from 'pg';
import { topSpeciesCount } from './drawing/theme.js';
import type { RenderJob } from './render-in-worker.js';
import { composeReport, type ReportRequest } from './report.js';
import { readReportFacts } from './report.store.js';
import type { FindPictures } from './species-pictures.js';

/** What a {@link ReportMaker} needs. */
export interface ReportMakerDeps {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly findPictures: FindPictures;
  readonly render: (job: RenderJob, signal: AbortSignal) => Promise<Buffer>;
}

const renderLimits = { max: 2, maxWaiting: 16, waitTimeoutMs: 15_000 };

/** Makes reports, at most two at once; one that nobody waits for any longer is aborted. */
export class ReportMaker {
  readonly #deps: ReportMakerDeps;
  readonly #flights = createSingleFlight<Buffer>();
  readonly #limiter = createLimiter(renderLimits);

  constructor(deps: ReportMakerDeps) {
    this.#deps = deps;
  }

  /**
   * The report as PDF; equal requests at the same time share one rendering.
   * @throws HubError busy, the reason of an abort
   */
  make(request: ReportRequest, signal: AbortSignal): Promise<Buffer> {
    const { period, hub, place } = request;
    const key = JSON.stringify([period.title, period.window, period.zone, hub, place]);
    const makeShared = (shared: AbortSignal) =>
      this.#limiter.run(() => this.#make(request, shared), { signal: shared });
    return this.#flights.run(key, makeShared, signal);
  }

  async #make(request: ReportRequest, signal: AbortSignal): Promise<Buffer> {
    const { pool, clock, findPictures, render } = this.#deps;
    signal.throwIfAborted();
    const facts = await readReportFacts(pool, request.period);
    const report = composeReport(facts, request, clock.now());
    const top = report.species.slice(0, topSpeciesCount).map(({ id }) => id);
    const pictures = await findPictures(top, request.period.window);
    return render({ report, pictures }, signal);
  }
}
