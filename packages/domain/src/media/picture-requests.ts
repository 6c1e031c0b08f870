import { createSingleFlight } from '@birdhub/shared/async';
import { type Bus, BusUnavailableError } from '@birdhub/shared/bus';

/**
 * Result of a request: `made`; `unmade` when not all pictures could be made; `late` when they are still being made or
 * too many callers are waiting; `unavailable` when no service makes pictures.
 */
export type PictureOutcome = 'made' | 'unmade' | 'late' | 'unavailable';

/** Requests the pictures of a recording with priority, for a caller that waits for one of them. */
export interface PictureRequests {
  request(videoId: number): Promise<PictureOutcome>;
}

/** Dependencies and limits of picture requests. */
export interface PictureRequestDeps {
  readonly bus: Pick<Bus, 'request'>;
  /** How long a caller waits. */
  readonly timeoutMs?: number;
  /** Maximum number of waiting callers in a process. */
  readonly maxWaiting?: number;
}

/** Sends concurrent requests for one recording only once; callers beyond the limit get `late` immediately. */
export function createPictureRequests({
  bus,
  timeoutMs = 2_000,
  maxWaiting = 256,
}: PictureRequestDeps): PictureRequests {
  const flights = createSingleFlight<PictureOutcome, number>();
  let waiting = 0;

  async function send(videoId: number): Promise<PictureOutcome> {
    try {
      const reply = await bus.request('hub.cmd.v1.pictures.make', { video_id: videoId }, timeoutMs);
      return reply?.outcome === 'made' || reply?.outcome === 'unmade' ? reply.outcome : 'late';
    } catch (error) {
      if (error instanceof BusUnavailableError) return 'unavailable';
      throw error;
    }
  }

  return {
    async request(videoId) {
      if (waiting >= maxWaiting) return 'late';
      waiting += 1;
      try {
        return await flights.run(videoId, () => send(videoId));
      } finally {
        waiting -= 1;
      }
    },
  };
}
