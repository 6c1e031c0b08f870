import { createSingleFlight } from '@birdhub/shared/async';
import { type Bus, BusUnavailableError } from '@birdhub/shared/bus';

/**
 * What became of a request: `made`; `unmade` when pictures were tried and not all could be made; `late` when they are
 * still being made, or too many others wait; `unavailable` when nobody is there who makes them.
 */
export type PictureOutcome = 'made' | 'unmade' | 'late' | 'unavailable';

/** Has the pictures of a recording made before all others, for somebody who waits for one of them. */
export interface PictureRequests {
  ask(videoId: number): Promise<PictureOutcome>;
}

/** How long somebody waits, and how many do at once in one process. */
export interface PictureRequestOptions {
  readonly bus: Pick<Bus, 'request'>;
  readonly timeoutMs?: number;
  readonly maxWaiting?: number;
}

/** Requests for one recording are one; a caller beyond the limit is told `late` at once. */
export function createPictureRequests({
  bus,
  timeoutMs = 2_000,
  maxWaiting = 256,
}: PictureRequestOptions): PictureRequests {
  const flights = createSingleFlight<PictureOutcome, number>();
  let waiting = 0;

  async function request(videoId: number): Promise<PictureOutcome> {
    try {
      const reply = await bus.request('hub.cmd.v1.pictures.make', { video_id: videoId }, timeoutMs);
      return reply?.outcome === 'made' || reply?.outcome === 'unmade' ? reply.outcome : 'late';
    } catch (error) {
      if (error instanceof BusUnavailableError) return 'unavailable';
      throw error;
    }
  }

  return {
    async ask(videoId) {
      if (waiting >= maxWaiting) return 'late';
      waiting += 1;
      try {
        return await flights.run(videoId, () => request(videoId));
      } finally {
        waiting -= 1;
      }
    },
  };
}
