import type { Bus } from '@birdhub/shared/bus';
import { runAlone } from '@birdhub/shared/db';
import { recordDeadLetter } from '@birdhub/shared/outbox';
import { createMediaDeriver, type MediaParts } from './derive-media.js';
import { listNewestPending, listPendingAfter } from './media-videos.store.js';

/** What it is done with, and how often it is looked for files that are awaited. */
export interface DerivedMediaParts extends MediaParts {
  readonly bus: Pick<Bus, 'consume'>;
  readonly lookMs?: number;
}

const batchSize = 100;
const backoffMs = [1_000, 5_000, 15_000, 60_000];
const maxDeliver = 8;

/**
 * Looks into each recording that is posted, and again and again for files that have not arrived: at the newest at
 * every look, at the others in turn.
 */
export function openDerivedMedia(parts: DerivedMediaParts): { close(): Promise<void> } {
  const { bus, pool, log, lookMs = 5_000 } = parts;
  const derive = createMediaDeriver(parts);
  const stopping = new AbortController();
  const inHand = new Map<number, Promise<void>>();
  let position = 0;
  let timer: NodeJS.Timeout | undefined;

  /** After what is under way for the same recording, which may not have seen what is news by now. */
  function deriveInTurn(videoId: number): Promise<void> {
    const before = inHand.get(videoId) ?? Promise.resolve();
    const begun = before
      .catch(() => undefined)
      .then(() => derive(videoId, stopping.signal))
      .finally(() => {
        if (inHand.get(videoId) === begun) inHand.delete(videoId);
      });
    inHand.set(videoId, begun);
    return begun;
  }

  async function lookAt(videoIds: readonly number[]): Promise<void> {
    for (const videoId of videoIds) {
      stopping.signal.throwIfAborted();
      await deriveInTurn(videoId).catch((error: unknown) => {
        stopping.signal.throwIfAborted();
        log.warn({ err: error, video_id: videoId }, 'recording not looked into');
      });
    }
  }

  async function lookAtPending(): Promise<void> {
    await lookAt(await listNewestPending(pool, batchSize));
    const next = await listPendingAfter(pool, position, batchSize);
    await lookAt(next);
    position = next.length < batchSize ? 0 : (next.at(-1) ?? 0);
  }

  async function look(): Promise<void> {
    try {
      await runAlone(pool, 'derived-media', lookAtPending);
    } catch (error) {
      if (!stopping.signal.aborted) log.warn({ err: error }, 'files that are awaited not looked for');
    }
    if (!stopping.signal.aborted) timer = setTimeout(goOn, lookMs);
  }

  let looking = look();
  function goOn(): void {
    looking = look();
  }

  const subject = 'hub.v1.recording.upserted';
  const onDeadLetter = (letter: Parameters<typeof recordDeadLetter>[1]) => recordDeadLetter(pool, letter);
  const posted = bus.consume(
    { durable: 'system-media', subject, deliver: 'all', maxDeliver, backoffMs, concurrency: 2, onDeadLetter },
    ({ payload }) => deriveInTurn(payload.video_id),
  );
  return {
    async close() {
      stopping.abort(new Error('the service stops'));
      clearTimeout(timer);
      await Promise.all([posted.close(), looking]);
    },
  };
}
