import { readFile } from 'node:fs/promises';
import { findStoredCrop } from '@birdhub/domain/media';
import { createLimiter, createSingleFlight } from '@birdhub/shared/async';
import type { Clock, TimeWindow } from '@birdhub/shared/time';
import type pg from 'pg';
import type { Logger } from 'pino';
import sharp from 'sharp';
import { topSpeciesCount } from './drawing/theme.js';
import type { RenderJob } from './render-in-worker.js';
import { composeReport, type ReportRequest, type SpeciesPictures } from './report.js';
import { listPictureCandidates, type PictureCandidate, readReportFacts } from './report.store.js';

/** Dependencies of a {@link ReportMaker}. */
export interface ReportMakerDeps {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  /** Stored crops are below its folder `derived`. */
  readonly dataDir: string;
  readonly log: Pick<Logger, 'warn'>;
  readonly render: (job: RenderJob, signal: AbortSignal) => Promise<Buffer>;
}

const renderLimits = { max: 2, maxWaiting: 16, waitTimeoutMs: 15_000 };

/** Creates reports, at most two concurrently; one whose clients have all disconnected is aborted. */
export class ReportMaker {
  readonly #deps: ReportMakerDeps;
  readonly #flights = createSingleFlight<Buffer>();
  readonly #limiter = createLimiter(renderLimits);

  constructor(deps: ReportMakerDeps) {
    this.#deps = deps;
  }

  /**
   * Returns the report as PDF; concurrent equal requests share one rendering.
   * @throws HubError busy, the reason of an abort
   */
  make(request: ReportRequest, signal: AbortSignal): Promise<Buffer> {
    const { language, units, period, hub, place } = request;
    const key = JSON.stringify([language, units, period.window, period.zone, hub, place]);
    const makeShared = (shared: AbortSignal) =>
      this.#limiter.run(() => this.#make(request, shared), { signal: shared });
    return this.#flights.run(key, makeShared, signal);
  }

  async #make(request: ReportRequest, signal: AbortSignal): Promise<Buffer> {
    const { pool, clock, render } = this.#deps;
    signal.throwIfAborted();
    const facts = await readReportFacts(pool, request.period);
    const report = composeReport(facts, request, clock.now());
    const top = report.species.slice(0, topSpeciesCount).map(({ id }) => id);
    const pictures = await this.#findPictures(top, request.period.window);
    return render({ report, pictures }, signal);
  }

  /** Finds a stored crop of each species; no crop is created for a report. */
  async #findPictures(speciesIds: readonly number[], window: TimeWindow): Promise<SpeciesPictures> {
    const pictures = new Map<number, Uint8Array>();
    for (const candidate of await listPictureCandidates(this.#deps.pool, speciesIds, window)) {
      if (pictures.has(candidate.speciesId)) continue;
      const picture = await this.#readPicture(candidate);
      if (picture) pictures.set(candidate.speciesId, picture);
    }
    return pictures;
  }

  async #readPicture({ videoId, detectionId }: PictureCandidate): Promise<Buffer | undefined> {
    const { dataDir, log } = this.#deps;
    const file = await findStoredCrop(dataDir, videoId, detectionId);
    if (file === undefined) return undefined;
    try {
      return await toThumbnail(await readFile(file));
    } catch (error) {
      log.warn({ err: error, detectionId }, 'crop not readable');
      return undefined;
    }
  }
}

/** Sufficient for 300 dpi. */
const thumbnailPixels = 128;
const thumbnailQuality = 84;

/** Returns a small square JPEG. */
function toThumbnail(crop: Buffer): Promise<Buffer> {
  return sharp(crop)
    .rotate()
    .resize(thumbnailPixels, thumbnailPixels, { fit: 'cover' })
    .flatten()
    .jpeg({ quality: thumbnailQuality })
    .toBuffer();
}
