import type { Bus, Subscription } from '@birdhub/shared/bus';
import { createGate, gather } from '@birdhub/shared/gate';
import { hasMediaFile, isProgramMissing, ToolTimeoutError } from '@birdhub/shared/media';
import { recordDeadLetter } from '@birdhub/shared/outbox';
import type pg from 'pg';
import type { Logger } from 'pino';
import { chooseFrame } from './choose-frame.js';
import type { Crops } from './crops.js';
import { findVideoPaths, listSeenDetections } from './detection-crop.store.js';

/** What crops are made ahead with. */
export interface MakingAhead {
  readonly bus: Pick<Bus, 'consume'>;
  readonly pool: pg.Pool;
  readonly crops: Pick<Crops, 'read'>;
  readonly recordingsDir: string;
  readonly log: Pick<Logger, 'debug'>;
}

/** Recordings in hand at once; one of them is decoded at a time. */
const concurrency = 64;
/** Recordings that come within this time are looked up together. */
const gatherMs = 100;

/**
 * Makes the crops of each recording that arrives, in one decoding, so that who looks at it does not wait. One whose
 * file is not there yet, or takes too long, gets its crops when someone asks for them; so does every one where no
 * program is installed that makes them.
 */
export function makeCropsAhead({ bus, pool, crops, recordingsDir, log }: MakingAhead): Subscription {
  const closing = new AbortController();
  const oneAtATime = createGate(1);
  const findPath = gather((ids: readonly number[]) => findVideoPaths(pool, ids), gatherMs);

  async function make(videoId: number, videoPath: string): Promise<void> {
    const detections = await listSeenDetections(pool, videoId);
    if (!detections.length || closing.signal.aborted) return;
    const keys = detections.map(({ id, ...seen }) => ({ videoId, detectionId: id, ...chooseFrame(seen) }));
    try {
      await crops.read(videoPath, keys, closing.signal);
    } catch (error) {
      if (!(error instanceof ToolTimeoutError || isProgramMissing(error))) throw error;
      log.debug({ err: error, video_id: videoId }, 'crops not made ahead');
    }
  }

  const subscription = bus.consume(
    {
      durable: 'reports-crops',
      subject: 'hub.v1.recording.upserted',
      deliver: 'new',
      maxDeliver: 3,
      backoffMs: [5_000, 60_000],
      concurrency,
      onDeadLetter: (letter) => recordDeadLetter(pool, letter),
    },
    async ({ payload: { video_id: videoId } }) => {
      const path = await findPath(videoId);
      if (path !== undefined && (await hasMediaFile(recordingsDir, path)))
        await oneAtATime(() => make(videoId, path));
    },
  );
  return {
    ready: subscription.ready,
    close() {
      closing.abort();
      return subscription.close();
    },
  };
}
