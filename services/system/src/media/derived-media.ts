import { hasMediaFile } from '@birdhub/domain/media';
import { createLoop, type Loop, withAnySignal } from '@birdhub/shared/async';
import { type Bus, type DeadLetter, deliveriesWithin, type Subscription } from '@birdhub/shared/bus';
import { lockNames, withAdvisoryLock } from '@birdhub/shared/db';
import { recordDeadLetter } from '@birdhub/shared/outbox';
import { dayMs } from '@birdhub/shared/time';
import DataLoader from 'dataloader';
import {
  type ChangePosition,
  findMediaVideo,
  findMediaVideos,
  listNewestPending,
  listPendingAfter,
  listUnseenAfter,
  type MediaVideo,
  mayHaveFile,
} from './media-videos.js';
import { PictureQueue, QueueFullError } from './picture-queue.js';
import {
  createVideoInspector,
  type InspectionOutcome,
  type InspectVideo,
  type VideoInspectorDeps,
} from './video-inspector.js';

/** Dependencies for deriving media. */
export interface DerivedMediaDeps extends VideoInspectorDeps {
  readonly bus: Pick<Bus, 'consume' | 'handle'>;
  /** Polling interval for awaited files. */
  readonly pollIntervalMs?: number;
  /** Maximum concurrent inspections; one more for requests. */
  readonly maxConcurrency: number;
}

/** Derives pictures of arriving recordings. */
export interface DerivedMedia {
  /** Queues an inspection and waits for it. */
  readonly inspect: InspectVideo;
  close(): Promise<void>;
}

/**
 * Starts to derive pictures of each posted or uploaded recording, requested ones first, then the newest, and polls for
 * files that have not arrived: the newest at each interval, others in rotation, and for a while those that a scan
 * marked as missing. The queue is in memory only: a recording is `pending` until its pictures were tried, and the event
 * of a repeated post is acknowledged after that.
 */
export function startDerivedMedia(deps: DerivedMediaDeps): DerivedMedia {
  const media = new PictureMaker(deps);
  return {
    inspect: (videoId, options) => media.inspectQueued(videoId, options),
    close: () => media.close(),
  };
}

const batchSize = 100;
/** Maximum events in flight, which are acknowledged when their recordings are queued. */
const concurrency = 64;
/** How long an event waits for others, to look up their recordings together. */
const batchWaitMs = 50;
const backoffMs = [1_000, 5_000, 15_000, 60_000];
/** The database may be unreachable for as long. */
const maxDeliver = deliveriesWithin(dayMs, backoffMs);

interface JobOptions {
  readonly isForced: boolean;
  readonly signal: AbortSignal;
}

type Reply = 'made' | 'unmade' | 'pending' | 'busy';

class PictureMaker {
  readonly #deps: DerivedMediaDeps;
  readonly #inspect: InspectVideo;
  readonly #queue: PictureQueue<JobOptions, InspectionOutcome>;
  readonly #videos: DataLoader<number, MediaVideo | undefined>;
  readonly #loop: Loop;
  readonly #subscriptions: readonly Pick<Subscription, 'close'>[];
  readonly #stopping = new AbortController();
  #pendingPosition = 0;
  #unseenPosition: ChangePosition = [new Date(0), 0];

  constructor(deps: DerivedMediaDeps) {
    const { pool, log, maxConcurrency, pollIntervalMs = 5_000 } = deps;
    const { signal } = this.#stopping;
    this.#deps = deps;
    this.#inspect = createVideoInspector(deps);
    this.#queue = new PictureQueue<JobOptions, InspectionOutcome>(
      (videoId, { options, isRequested }) =>
        withAnySignal([signal, options?.signal], (ended) =>
          this.#inspect(videoId, {
            isUrgent: isRequested,
            isForced: options?.isForced ?? false,
            signal: ended,
          }),
        ),
      { maxConcurrency },
    );
    this.#videos = new DataLoader(
      async (ids: readonly number[]) => {
        const found = await findMediaVideos(pool, [...new Set(ids)]);
        return ids.map((id) => found.get(id));
      },
      { cache: false, batchScheduleFn: (findBatch) => setTimeout(findBatch, batchWaitMs) },
    );
    this.#loop = createLoop({
      everyMs: pollIntervalMs,
      work: () => this.#poll(),
      onError: (error) => log.warn({ err: error }, 'pending files not checked'),
    });
    this.#loop.start();
    this.#subscriptions = this.#subscribe();
  }

  async inspectQueued(videoId: number, options: Parameters<InspectVideo>[1]): Promise<InspectionOutcome> {
    const video = await findMediaVideo(this.#deps.pool, videoId);
    if (!video) return 'gone';
    const { isForced = false, signal } = options;
    const outcome = await this.#queue.add({ videoId, start: video.start, options: { isForced, signal } });
    if (outcome === undefined) throw new Error('the service stops');
    return outcome;
  }

  async close(): Promise<void> {
    this.#stopping.abort(new Error('the service stops'));
    const subscriptions = this.#subscriptions.map((subscription) => subscription.close());
    await Promise.all([this.#queue.close(), this.#loop.stop(), ...subscriptions]);
  }

  /** Handles a posted recording or an uploaded file. */
  async #onPosted(videoId: number): Promise<void> {
    const video = await this.#videos.load(videoId);
    if (!video || !mayHaveFile(video)) return;
    if (!(await hasMediaFile(this.#deps.recordingsDir, video.videoPath))) return;
    const made = this.#queue.add({ videoId, start: video.start });
    // For a repeated post only the event triggers the pictures, so wait for them.
    if (video.media !== 'pending' && (await made) === undefined)
      throw new Error('the recording was dropped from the queue');
    made.catch((error: unknown) => this.#warn(videoId, error));
  }

  async #makeForRequest(videoId: number): Promise<Reply> {
    const video = await findMediaVideo(this.#deps.pool, videoId);
    if (!video || !mayHaveFile(video)) return 'unmade';
    try {
      return toReply(await this.#queue.add({ videoId, start: video.start, isRequested: true }));
    } catch (error) {
      if (error instanceof QueueFullError) return 'busy';
      this.#warn(videoId, error);
      return 'unmade';
    }
  }

  #subscribe(): Subscription[] {
    const { bus, pool } = this.#deps;
    const options = {
      deliver: 'all',
      maxDeliver,
      backoffMs,
      concurrency,
      onDeadLetter: (letter: DeadLetter) => recordDeadLetter(pool, letter),
    } as const;
    const posted = { ...options, durable: 'system-media', replaces: 'reports-crops' };
    return [
      bus.consume({ ...posted, subject: 'hub.v1.recording.upserted' }, ({ payload }) =>
        this.#onPosted(payload.video_id),
      ),
      bus.consume(
        { ...options, durable: 'system-uploads', subject: 'hub.v1.media.uploaded' },
        ({ payload }) => this.#onPosted(payload.video_id),
      ),
      bus.handle('hub.cmd.v1.pictures.make', async (payload) => ({
        outcome: await this.#makeForRequest(payload.video_id),
      })),
    ];
  }

  async #poll(): Promise<void> {
    await withAdvisoryLock(this.#deps.pool, lockNames.derivedMedia, async () => {
      await this.#inspectPending();
      await this.#inspectUnseen();
    });
  }

  async #inspectPending(): Promise<void> {
    const { pool } = this.#deps;
    await this.#inspectAll(await listNewestPending(pool, batchSize));
    const next = await listPendingAfter(pool, this.#pendingPosition, batchSize);
    await this.#inspectAll(next);
    this.#pendingPosition = next.length < batchSize ? 0 : (next.at(-1) ?? 0);
  }

  async #inspectUnseen(): Promise<void> {
    const { pool, clock, fileTimeoutMs } = this.#deps;
    const since = new Date(clock.now() - fileTimeoutMs);
    const position = this.#unseenPosition;
    const next = await listUnseenAfter(pool, position[0] < since ? [since, 0] : position, batchSize);
    await this.#inspectAll(next.map(([, videoId]) => videoId));
    this.#unseenPosition = next.length < batchSize ? [since, 0] : (next.at(-1) ?? position);
  }

  async #inspectAll(videoIds: readonly number[]): Promise<void> {
    const videos = await findMediaVideos(this.#deps.pool, videoIds);
    for (const videoId of videoIds) {
      if (this.#stopping.signal.aborted) return;
      const video = videos.get(videoId);
      if (video) await this.#inspectOrQueue(video);
    }
  }

  /** Queues a recording with a file; without a file its state is recorded immediately. */
  async #inspectOrQueue({ id: videoId, start, videoPath }: MediaVideo): Promise<void> {
    const { signal } = this.#stopping;
    const warn = (error: unknown) => this.#warn(videoId, error);
    if (this.#queue.has(videoId)) return;
    if (await hasMediaFile(this.#deps.recordingsDir, videoPath))
      this.#queue.add({ videoId, start }).catch(warn);
    else await this.#inspect(videoId, { signal }).catch(warn);
  }

  #warn(videoId: number, error: unknown): void {
    if (!this.#stopping.signal.aborted)
      this.#deps.log.warn({ err: error, video_id: videoId }, 'recording not inspected');
  }
}

function toReply(outcome: InspectionOutcome | undefined): Reply {
  if (outcome === undefined) return 'busy';
  if (outcome === 'awaited' || outcome === 'absent') return 'pending';
  return outcome === 'made' ? 'made' : 'unmade';
}
