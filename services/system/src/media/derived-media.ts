import { hasMediaFile } from '@birdhub/domain/media';
import { createLoop } from '@birdhub/shared/async';
import type { Bus } from '@birdhub/shared/bus';
import { lockNames, withAdvisoryLock } from '@birdhub/shared/db';
import { recordDeadLetter } from '@birdhub/shared/outbox';
import DataLoader from 'dataloader';
import { createMediaDeriver, type LookIntoVideo, type LookOutcome, type MediaParts } from './derive-media.js';
import {
  type ChangePlace,
  findMediaVideo,
  findMediaVideos,
  listNewestPending,
  listPendingAfter,
  listUnseenAfter,
  type MediaVideo,
} from './media-videos.store.js';
import { PictureQueue, QueueFullError } from './picture-queue.js';

/** What it is done with, and how often it is looked for files that are awaited. */
export interface DerivedMediaParts extends MediaParts {
  readonly bus: Pick<Bus, 'consume' | 'handle'>;
  readonly lookMs?: number;
  /** Recordings that are looked into at once; one more when somebody waits for it. */
  readonly maxAtOnce: number;
}

const batchSize = 100;
/** Events in hand at once. They are done with when their recordings wait for their turn. */
const concurrency = 64;
/** How long an event waits for others, to have their recordings looked up together. */
const batchWaitMs = 50;
const backoffMs = [1_000, 5_000, 15_000, 60_000];
const maxDeliver = 8;

/** What is made of recordings as they come. */
export interface DerivedMedia {
  /** Looks into a recording in its turn. */
  readonly look: LookIntoVideo;
  close(): Promise<void>;
}

interface JobOptions {
  readonly isForced: boolean;
  readonly signal: AbortSignal;
}

type Reply = 'made' | 'unmade' | 'pending' | 'busy';

function toReply(outcome: LookOutcome | undefined): Reply {
  if (outcome === undefined) return 'busy';
  if (outcome === 'awaited' || outcome === 'absent') return 'pending';
  return outcome === 'made' ? 'made' : 'unmade';
}

/**
 * Has pictures made of each recording that is posted, those first that somebody waits for and then the newest, and
 * looks again and again for files that have not arrived: at the newest at every look, at the others in turn, and for a
 * while at those that a scan missed. What waits is not lost with the process: a recording is `pending` until its
 * pictures were tried, and the event of one that was posted again is done with when they were.
 */
export function openDerivedMedia(parts: DerivedMediaParts): DerivedMedia {
  const { bus, pool, log, clock, waitMs, recordingsDir, maxAtOnce, lookMs = 5_000 } = parts;
  const stopping = new AbortController();
  const { signal } = stopping;
  const derive = createMediaDeriver(parts);
  const queue = new PictureQueue<JobOptions, LookOutcome>(
    (videoId, { options, isRequested }) =>
      derive(videoId, {
        isUrgent: isRequested,
        isForced: options?.isForced ?? false,
        signal: options ? AbortSignal.any([signal, options.signal]) : signal,
      }),
    { maxAtOnce },
  );
  const mediaVideos = new DataLoader(
    async (ids: readonly number[]) => {
      const found = await findMediaVideos(pool, [...new Set(ids)]);
      return ids.map((id) => found.get(id));
    },
    { cache: false, batchScheduleFn: (findBatch) => setTimeout(findBatch, batchWaitMs) },
  );
  let position = 0;
  let unseen: ChangePlace = [new Date(0), 0];

  function warn(videoId: number, error: unknown): void {
    if (!signal.aborted) log.warn({ err: error, video_id: videoId }, 'recording not looked into');
  }

  /** Has a file that is there wait for its turn; tells at once what is known of one that is not. */
  async function lookAt(video: MediaVideo): Promise<void> {
    const { id: videoId, start } = video;
    if (queue.has(videoId)) return;
    if (await hasMediaFile(recordingsDir, video.videoPath))
      queue.add({ videoId, start }).catch((error: unknown) => warn(videoId, error));
    else await derive(videoId, { signal }).catch((error: unknown) => warn(videoId, error));
  }

  async function lookAtAll(videoIds: readonly number[]): Promise<void> {
    const videos = await findMediaVideos(pool, videoIds);
    for (const videoId of videoIds) {
      if (signal.aborted) return;
      const video = videos.get(videoId);
      if (video) await lookAt(video);
    }
  }

  async function lookAtPending(): Promise<void> {
    await lookAtAll(await listNewestPending(pool, batchSize));
    const next = await listPendingAfter(pool, position, batchSize);
    await lookAtAll(next);
    position = next.length < batchSize ? 0 : (next.at(-1) ?? 0);
  }

  async function lookAtUnseen(): Promise<void> {
    const since = new Date(clock.now() - waitMs);
    const next = await listUnseenAfter(pool, unseen[0] < since ? [since, 0] : unseen, batchSize);
    await lookAtAll(next.map(([, videoId]) => videoId));
    unseen = next.length < batchSize ? [since, 0] : (next.at(-1) ?? unseen);
  }

  const loop = createLoop({
    everyMs: lookMs,
    async work() {
      await withAdvisoryLock(pool, lockNames.derivedMedia, async () => {
        await lookAtPending();
        await lookAtUnseen();
      });
    },
    onError: (error) => log.warn({ err: error }, 'files that are awaited not looked for'),
  });
  loop.start();

  async function takePosted(videoId: number): Promise<void> {
    const video = await mediaVideos.load(videoId);
    if (!video || video.media === 'purged') return;
    if (!(await hasMediaFile(recordingsDir, video.videoPath))) return;
    const made = queue.add({ videoId, start: video.start });
    // The event of a recording that was posted again is all that says that its pictures are to be tried.
    if (video.media !== 'pending' && (await made) === undefined) throw new Error('the recording had no turn');
    made.catch((error: unknown) => warn(videoId, error));
  }

  async function makeForRequest(videoId: number): Promise<Reply> {
    const video = await findMediaVideo(pool, videoId);
    if (!video || video.media === 'purged') return 'unmade';
    try {
      return toReply(await queue.add({ videoId, start: video.start, isRequested: true }));
    } catch (error) {
      if (error instanceof QueueFullError) return 'busy';
      warn(videoId, error);
      return 'unmade';
    }
  }

  async function lookInTurn(videoId: number, options: Parameters<LookIntoVideo>[1]): Promise<LookOutcome> {
    const video = (await findMediaVideos(pool, [videoId])).get(videoId);
    if (!video) return 'gone';
    const { isForced = false } = options;
    const job = { isForced, signal: options.signal };
    const outcome = await queue.add({ videoId, start: video.start, options: job });
    if (outcome === undefined) throw new Error('the service stops');
    return outcome;
  }

  const subject = 'hub.v1.recording.upserted';
  const posted = bus.consume(
    {
      durable: 'system-media',
      subject,
      deliver: 'all',
      maxDeliver,
      backoffMs,
      concurrency,
      replaces: 'reports-crops',
      onDeadLetter: (letter) => recordDeadLetter(pool, letter),
    },
    ({ payload }) => takePosted(payload.video_id),
  );
  const requests = bus.handle('hub.cmd.v1.pictures.make', async (payload) => ({
    outcome: await makeForRequest(payload.video_id),
  }));
  return {
    look: lookInTurn,
    async close() {
      stopping.abort(new Error('the service stops'));
      await Promise.all([queue.close(), requests.close(), posted.close(), loop.stop()]);
    },
  };
}
