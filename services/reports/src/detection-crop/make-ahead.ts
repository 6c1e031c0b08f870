import type { Bus, Subscription } from '@birdhub/shared/bus';
import { ToolTimeoutError } from '@birdhub/shared/media';
import { recordDeadLetter } from '@birdhub/shared/outbox';
import type pg from 'pg';
import type { Logger } from 'pino';
import { chooseFrame } from './choose-frame.js';
import type { Crops } from './crops.js';
import { listSeenDetections } from './detection-crop.store.js';

/** What crops are made ahead with. */
export interface MakingAhead {
  readonly bus: Pick<Bus, 'consume'>;
  readonly pool: pg.Pool;
  readonly crops: Pick<Crops, 'read'>;
  readonly log: Pick<Logger, 'debug'>;
}

/**
 * Makes the crops of each recording that arrives, in one decoding, so that who looks at it does not wait. One whose
 * file is not there yet, or takes too long, gets its crops when someone asks for them.
 */
export function makeCropsAhead({ bus, pool, crops, log }: MakingAhead): Subscription {
  const closing = new AbortController();
  const subscription = bus.consume(
    {
      durable: 'reports-crops',
      subject: 'hub.v1.recording.upserted',
      deliver: 'new',
      maxDeliver: 3,
      backoffMs: [5_000, 60_000],
      concurrency: 1,
      onDeadLetter: (letter) => recordDeadLetter(pool, letter),
    },
    async ({ payload: { video_id: videoId } }) => {
      const { videoPath, detections } = await listSeenDetections(pool, videoId);
      if (!detections.length || closing.signal.aborted) return;
      const keys = detections.map(({ id, ...seen }) => ({ videoId, detectionId: id, ...chooseFrame(seen) }));
      try {
        await crops.read(videoPath, keys, closing.signal);
      } catch (error) {
        if (!(error instanceof ToolTimeoutError)) throw error;
        log.debug({ err: error, video_id: videoId }, 'crops not made ahead');
      }
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
