import type { PostedRecording, RecordingWriter } from '@birdhub/domain/recordings';
import { settleAll } from '@birdhub/shared/async';
import { HubError } from '@birdhub/shared/errors';
import type { Clock } from '@birdhub/shared/time';
import pLimit from 'p-limit';
import type { SpaceGuard } from '../space-guard.js';
import { type Sentence, say } from './sentences.js';
import {
  type EventMedia,
  type EventOutcome,
  type ReadProgress,
  type SourceEventStore,
  type StoredEvent,
  toKnownEvent,
} from './source-events.store.js';
import type { DroppedEvent, SourceKind, UpstreamEvent } from './source-kind.js';
import type { StoredSource } from './sources.store.js';
import {
  cameraOf,
  cleanEvent,
  fingerprintOf,
  nextReread,
  pathOf,
  toRecording,
} from './upstream-recording.js';

/** Dependencies for storing events. */
export interface SourceIntakeDeps {
  readonly writer: Pick<RecordingWriter, 'post'>;
  readonly events: Pick<SourceEventStore, 'find' | 'findAt' | 'add' | 'save'>;
  readonly space: Pick<SpaceGuard, 'requireSpace'>;
  readonly clock: Clock;
}

/** A page of read events and how to store them. */
export interface IntakePage {
  readonly source: StoredSource;
  readonly kind: Pick<SourceKind, 'rereadDays' | 'hasOneBirdPerEvent'>;
  readonly events: readonly UpstreamEvent[];
  readonly dropped: readonly DroppedEvent[];
  /** Set for live reading, whose cursor is stored with the outcome. */
  readonly progress?: ReadProgress | undefined;
  /** Whether to fetch files. */
  readonly wantsMedia: boolean;
  readonly requestId: string;
  readonly signal: AbortSignal;
}

/** The result of a page. */
export interface IntakeResult {
  /** Number of new recordings. */
  readonly taken: number;
  /** Number of recordings that existed already or were deleted by a person. */
  readonly known: number;
  /** Whether anything was stored, so that there may be files to fetch. */
  readonly hasStored: boolean;
  readonly dropped: readonly DroppedEvent[];
}

/** Concurrent posts: two groups of the writer. */
const maxConcurrency = 64;

/** Stores events of sources. Idempotent: a crash at any point neither loses nor duplicates a recording. */
export class SourceIntake {
  readonly #deps: SourceIntakeDeps;

  constructor(deps: SourceIntakeDeps) {
    this.#deps = deps;
  }

  /**
   * Stores a page and then the cursor after it.
   * @throws SourceChangedError, HubError storage_full and others of the database; the reason of the signal
   */
  async take(page: IntakePage): Promise<IntakeResult> {
    const { source, progress, signal } = page;
    const { events: store, space, clock } = this.#deps;
    const cleaned = cleanAll(page.events, clock.now());
    const events = await this.#withStoredIds(source, cleaned.events);
    if (events.length) space.requireSpace();
    const known = await this.#findOrAdd(page, events);
    const limit = pLimit(maxConcurrency);
    const results = await settleAll(
      events.map((event) =>
        limit(() => {
          signal.throwIfAborted();
          const stored = known.get(event.upstreamId);
          if (!stored) throw new Error(`an event of source ${source.id} was not added`);
          return this.#store(page, event, stored);
        }),
      ),
    );
    const dropped = [
      ...page.dropped,
      ...cleaned.dropped,
      ...results.flatMap((result) => result.dropped ?? []),
    ];
    const taken = results.filter(({ isNew }) => isNew).length;
    await store.save({
      sourceId: source.id,
      outcomes: results.map(({ outcome }) => outcome),
      dropped: dropped.map((one) => ({ ...one, upstreamId: toStorableId(one.upstreamId) })),
      added: taken,
      cameras: [...new Set(events.map(({ camera }) => camera).filter(Boolean))],
      live: progress && { ...progress, revision: source.revision },
    });
    const unstored = results.filter(({ outcome }) => outcome.videoId === null).length;
    const hasStored = results.some(({ isStored }) => isStored);
    return { taken, known: results.length - taken - unstored, hasStored, dropped };
  }

  /** Gives events that were changed upstream the ids under which they are stored. */
  async #withStoredIds(
    { id: sourceId }: StoredSource,
    events: readonly UpstreamEvent[],
  ): Promise<readonly UpstreamEvent[]> {
    const changed = events.filter(({ isSame }) => isSame);
    if (!changed.length) return events;
    const { events: store } = this.#deps;
    const idsOf = (list: readonly { readonly upstreamId: string }[]) =>
      list.map(({ upstreamId }) => upstreamId);
    const known = new Set(idsOf(await store.find(sourceId, idsOf(changed))));
    // An id of this page belongs to another event.
    const taken = new Set(idsOf(events));
    const storedIds = new Map<string, string>();
    for (const { upstreamId, start, isSame } of changed) {
      if (known.has(upstreamId)) continue;
      const near = await store.findAt(sourceId, start);
      const stored = near.find((one) => !taken.has(one.upstreamId) && isSame?.(toKnownEvent(one)));
      if (!stored) continue;
      taken.add(stored.upstreamId);
      storedIds.set(upstreamId, stored.upstreamId);
    }
    return events.map((event) => ({
      ...event,
      upstreamId: storedIds.get(event.upstreamId) ?? event.upstreamId,
    }));
  }

  async #findOrAdd(
    { source, progress }: IntakePage,
    events: readonly UpstreamEvent[],
  ): Promise<ReadonlyMap<string, StoredEvent>> {
    if (!events.length) return new Map();
    const { events: store } = this.#deps;
    const ids = events.map(({ upstreamId }) => upstreamId);
    const found = toMap(await store.find(source.id, ids));
    const missing = events.filter(({ upstreamId }) => !found.has(upstreamId));
    if (!missing.length) return found;
    const added = missing.map((event) => ({
      upstreamId: event.upstreamId,
      start: event.start,
      end: event.end,
      isOpen: event.isOpen,
      cameraId: cameraOf(event, source),
      videoPath: pathOf(event, source),
    }));
    await store.add(source.id, progress && source.revision, added);
    return toMap(await store.find(source.id, ids));
  }

  async #store(page: IntakePage, event: UpstreamEvent, stored: StoredEvent): Promise<StoreResult> {
    const { kind, requestId, signal } = page;
    const { outcome, post, dropped } = planOf(page, event, stored, this.#deps.clock.now());
    const notStored = { outcome, isStored: false, isNew: false, dropped };
    if (!post) return notStored;
    const { recording, fingerprint } = post;
    try {
      const { videoId, deleted } = await this.#deps.writer.post(recording, requestId, {
        signal,
        isOfOneBird: kind.hasOneBirdPerEvent,
        keptTracks: event.absentTracks,
        isFavorite: event.isFavorite,
      });
      const posted = { ...outcome, videoId, fingerprint };
      if (!deleted) return { outcome: posted, isStored: true, isNew: stored.videoId === null };
      return { ...notStored, outcome: { ...posted, media: stored.media, mediaAt: null, rereadAt: null } };
    } catch (error) {
      // A rejected event must not stop the others.
      if (!(error instanceof HubError) || error.status >= 500 || error.status === 429) throw error;
      return { ...notStored, dropped: toDropped(event, say('other', { text: error.message })) };
    }
  }
}

/** The result of an event. */
interface StoreResult {
  readonly outcome: EventOutcome;
  readonly isStored: boolean;
  readonly isNew: boolean;
  readonly dropped?: DroppedEvent | undefined;
}

/** How to store an event. */
interface StorePlan {
  /** The outcome without a post. */
  readonly outcome: EventOutcome;
  /** Undefined when nothing is to be posted. */
  readonly post?: { readonly recording: PostedRecording; readonly fingerprint: string };
  readonly dropped?: DroppedEvent;
}

function planOf(
  { source, kind, wantsMedia }: IntakePage,
  event: UpstreamEvent,
  stored: StoredEvent,
  now: number,
): StorePlan {
  const media = mediaOf(event, stored, wantsMedia);
  const outcome = {
    id: stored.id,
    start: event.start,
    end: event.end,
    isOpen: event.isOpen,
    rereads: stored.rereads,
    rereadAt: nextReread(event, kind.rereadDays, now) ?? null,
    reference: event.media?.reference ?? stored.reference,
    media,
    mediaAt: media === 'waiting' ? now : null,
    clipStart: stored.clipStart,
    clipEnd: stored.clipEnd,
    videoId: stored.videoId,
    fingerprint: null,
  };
  if (event.isOpen) return { outcome };
  const hasFile = media !== 'none' && media !== 'unwanted';
  const recording = toRecording(event, { source, stored, hasFile });
  if (!recording.detections.length) {
    if (stored.videoId !== null) return { outcome };
    const reason = event.detections.length ? say('none_confident') : say('nothing_detected');
    return { outcome, dropped: toDropped(event, reason) };
  }
  const fingerprint = fingerprintOf(recording);
  const isUnchanged = stored.videoId !== null && stored.fingerprint === fingerprint;
  return isUnchanged ? { outcome } : { outcome, post: { recording, fingerprint } };
}

function toDropped({ upstreamId, start }: UpstreamEvent, reason: Sentence): DroppedEvent {
  return { upstreamId, at: start, reason };
}

/** Returns the state of the file of a repeated event; `ready` and `gone` are final. */
function mediaOf(event: UpstreamEvent, { media, videoPath }: StoredEvent, isWanted: boolean): EventMedia {
  if (media !== 'none' && media !== 'unwanted') return media;
  // The path keeps its original extension.
  if (!event.media || !videoPath.endsWith(event.media.extension.toLowerCase())) return media;
  return isWanted ? 'waiting' : 'unwanted';
}

function cleanAll(events: readonly UpstreamEvent[], now: number) {
  const clean = new Map<string, UpstreamEvent>();
  const dropped: DroppedEvent[] = [];
  for (const event of events) {
    const cleaned = cleanEvent(event, now);
    if (!('code' in cleaned)) clean.set(cleaned.upstreamId, cleaned);
    else {
      const at = Number.isFinite(event.start) && Math.abs(event.start) < 8.64e15 ? event.start : undefined;
      dropped.push({ upstreamId: event.upstreamId, at, reason: cleaned });
    }
  }
  return { events: [...clean.values()], dropped };
}

const toMap = (events: readonly StoredEvent[]) => new Map(events.map((event) => [event.upstreamId, event]));

const toStorableId = (id: string) =>
  id
    .slice(0, 512)
    .toWellFormed()
    .replace(/\p{Cc}/gu, '\ufffd');
