import type { Bus } from '@birdhub/shared/bus';
import { runAlone } from '@birdhub/shared/db';
import { recordDeadLetter } from '@birdhub/shared/outbox';
import { createMediaDeriver, type LookIntoVideo, type MediaParts } from './derive-media.js';
import {
  type ChangePlace,
  listNewestPending,
  listPendingAfter,
  listUnseenAfter,
} from './media-videos.store.js';

/** What it is done with, and how often it is looked for files that are awaited. */
export interface DerivedMediaParts extends MediaParts {
  readonly bus: Pick<Bus, 'consume'>;
  readonly lookMs?: number;
}

const batchSize = 100;
/** Recordings in hand at once. Programs run fewer at a time. */
const concurrency = 64;
const backoffMs = [1_000, 5_000, 15_000, 60_000];
const maxDeliver = 8;

/** What is made of recordings as they come. */
export interface DerivedMedia {
  /** Looks into a recording, after whatever else does so in this process. */
  readonly look: LookIntoVideo;
  close(): Promise<void>;
}

/** Has looks at the same recording wait for each other: an earlier one may not have seen what is news by now. */
function takeTurns(look: LookIntoVideo): LookIntoVideo {
  const inHand = new Map<number, Promise<unknown>>();
  return (videoId, options) => {
    const before = inHand.get(videoId) ?? Promise.resolve();
    const begun = before
      .catch(() => undefined)
      .then(() => look(videoId, options))
      .finally(() => {
        if (inHand.get(videoId) === begun) inHand.delete(videoId);
      });
    inHand.set(videoId, begun);
    return begun;
  };
}

/**
 * Looks into each recording that is posted, and again and again for files that have not arrived: at the newest at
 * every look, at the others in turn, and for a while at those that a scan missed.
 */
export function openDerivedMedia(parts: DerivedMediaParts): DerivedMedia {
  const { bus, pool, log, clock, waitMs, lookMs = 5_000 } = parts;
  const look = takeTurns(createMediaDeriver(parts));
  const stopping = new AbortController();
  const { signal } = stopping;
  let position = 0;
  let unseen: ChangePlace = [new Date(0), 0];
  let timer: NodeJS.Timeout | undefined;

  async function lookAt(videoIds: readonly number[]): Promise<void> {
    const looks = videoIds.map((videoId) =>
      look(videoId, { signal, isPatient: true }).catch((error: unknown) => {
        signal.throwIfAborted();
        log.warn({ err: error, video_id: videoId }, 'recording not looked into');
      }),
    );
    await Promise.all(looks);
  }

  async function lookAtPending(): Promise<void> {
    await lookAt(await listNewestPending(pool, batchSize));
    const next = await listPendingAfter(pool, position, batchSize);
    await lookAt(next);
    position = next.length < batchSize ? 0 : (next.at(-1) ?? 0);
  }

  async function lookAtUnseen(): Promise<void> {
    const since = new Date(clock.now() - waitMs);
    const next = await listUnseenAfter(pool, unseen[0] < since ? [since, 0] : unseen, batchSize);
    await lookAt(next.map(([, videoId]) => videoId));
    unseen = next.length < batchSize ? [since, 0] : (next.at(-1) ?? unseen);
  }

  async function lookForFiles(): Promise<void> {
    try {
      await runAlone(pool, 'derived-media', async () => {
        await lookAtPending();
        await lookAtUnseen();
      });
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error }, 'files that are awaited not looked for');
    }
    if (!signal.aborted) timer = setTimeout(goOn, lookMs);
  }

  let looking = lookForFiles();
  function goOn(): void {
    looking = lookForFiles();
  }

  const subject = 'hub.v1.recording.upserted';
  const onDeadLetter = (letter: Parameters<typeof recordDeadLetter>[1]) => recordDeadLetter(pool, letter);
  const posted = bus.consume(
    { durable: 'system-media', subject, deliver: 'all', maxDeliver, backoffMs, concurrency, onDeadLetter },
    async ({ payload }) => void (await look(payload.video_id, { signal, isPatient: true })),
  );
  return {
    look: (videoId, options) =>
      look(videoId, { ...options, signal: AbortSignal.any([signal, options.signal]) }),
    async close() {
      stopping.abort(new Error('the service stops'));
      clearTimeout(timer);
      await Promise.all([posted.close(), looking]);
    },
  };
}
