import { createHash } from 'node:crypto';
import {
  type FrigateBird,
  type FrigateEvent,
  type FrigateReview,
  toHttpReview,
  toMqttEvent,
} from './frigate-records.js';

/** A bird in front of a camera, controlled by the test. */
export interface FrigateBirdInView {
  readonly id: string;
  /** The id of its review segment. */
  readonly review: string | undefined;
  /** Changes its event; published as an update until its end. */
  update(
    changes: Partial<
      Pick<FrigateBird, 'topScore' | 'box' | 'zones' | 'path' | 'hasClip' | 'hasSnapshot' | 'data'>
    >,
  ): void;
  /** Sets its sub-label; a score of null means that a user set it. Not published after its end. */
  nameIt(name: string | null, score?: number | null): void;
  /** Ends its event, now or at the given time. */
  end(at?: number): void;
  /** Sets whether the segments of its recording are on disk. */
  footage(state: 'ready' | 'later' | 'gone'): void;
  /** Deletes it upstream, as its retention does. */
  expire(): void;
}

/** Options of {@link FrigateCameras}. */
export interface CamerasStart {
  readonly version: string;
  /** The default camera of birds. */
  readonly camera: string;
  /** Labels for which review segments are created. */
  readonly reviewLabels: readonly string[];
  readonly now: () => number;
  /** Publishes on a topic below the prefix. */
  readonly publish: (topic: string, payload: string) => void;
}

/** Tracked objects and review segments over time, with the messages about them. */
export class FrigateCameras {
  readonly events: FrigateEvent[] = [];
  readonly reviews: FrigateReview[] = [];
  readonly #version: string;
  readonly #camera: string;
  readonly #reviewLabels: readonly string[];
  readonly #now: () => number;
  readonly #publish: CamerasStart['publish'];

  constructor({ version, camera, reviewLabels, now, publish }: CamerasStart) {
    this.#version = version;
    this.#camera = camera;
    this.#reviewLabels = reviewLabels;
    this.#now = now;
    this.#publish = publish;
  }

  /** Returns the events in the database, which has no row for an object without clip and picture. */
  visible = () => this.events.filter((event) => !event.isOnlyOnMqtt && (event.hasClip || event.hasSnapshot));

  addBird(bird: FrigateBird): FrigateBirdInView {
    const event = this.create(bird);
    this.events.push(event);
    const review = this.#addToReview(event, bird.review);
    this.#publishEvent('new', event, event);
    if (event.endTime !== null) this.#publishEvent('end', event, event);
    return {
      id: event.id,
      review: review?.id,
      update: (changes) => this.#update(event, changes),
      nameIt: (name, score = 0.93) => this.name(event, name, score),
      end: (at = this.#now()) => this.#end(event, at / 1000),
      footage: (state) => {
        event.footage = state;
      },
      expire: () => {
        this.events.splice(this.events.indexOf(event), 1);
      },
    };
  }

  create(bird: FrigateBird): FrigateEvent {
    const startTime = (bird.start ?? this.#now()) / 1000;
    const suffix = createHash('sha256').update(`${this.events.length} ${startTime}`).digest('base64url');
    const end = bird.end ?? null;
    return {
      id:
        bird.id ??
        `${startTime}-${suffix
          .toLowerCase()
          .replaceAll(/[^a-z0-9]/g, '')
          .slice(0, 6)}`,
      camera: bird.camera ?? this.#camera,
      label: bird.label ?? 'bird',
      subLabel: bird.name ?? null,
      subLabelScore: bird.name == null ? null : bird.nameScore === undefined ? 0.93 : bird.nameScore,
      startTime,
      endTime: end === null ? null : end / 1000,
      topScore: bird.topScore ?? 0.81,
      box: bird.box ?? [0.4, 0.35, 0.1, 0.2],
      path: (bird.path ?? []).map(([x, y, at]) => [x, y, at / 1000]),
      zones: bird.zones ?? [],
      hasClip: bird.hasClip ?? true,
      hasSnapshot: bird.hasSnapshot ?? true,
      type: bird.type ?? 'object',
      footage: bird.footage ?? 'ready',
      isOnlyOnMqtt: bird.isOnlyOnMqtt ?? false,
      isRetained: false,
      severity: bird.severity ?? 'detection',
      data: bird.data ?? {},
    };
  }

  #addToReview(event: FrigateEvent, wanted: string | null | undefined): FrigateReview | undefined {
    const isCovered = this.#reviewLabels.includes(event.label);
    if (wanted === null || (wanted === undefined && !isCovered) || event.isOnlyOnMqtt) return undefined;
    const known = this.reviews.find(
      ({ id, camera, startTime, endTime }) =>
        id === wanted ||
        (wanted === undefined &&
          camera === event.camera &&
          event.startTime >= startTime &&
          event.startTime < (endTime ?? Number.POSITIVE_INFINITY)),
    );
    const review = known ?? {
      id: wanted ?? `${event.startTime}-r${event.id.slice(-5)}`,
      camera: event.camera,
      startTime: event.startTime,
      endTime: null,
      severity: event.severity,
      hasBeenReviewed: false,
      eventIds: [],
    };
    review.eventIds.push(event.id);
    review.startTime = Math.min(review.startTime, event.startTime);
    if (event.severity === 'alert') review.severity = 'alert';
    if (known === undefined) this.reviews.push(review);
    const before = known && toHttpReview(review, this.events);
    review.endTime = this.#endOf(review);
    this.#publishReview(known === undefined ? 'new' : 'update', before, review);
    if (review.endTime !== null) this.#publishReview('end', before, review);
    return review;
  }

  /** Returns null while one of its events has not ended. */
  #endOf(review: FrigateReview): number | null {
    const ends = review.eventIds.flatMap((id) => {
      const event = this.events.find((one) => one.id === id);
      return event === undefined ? [] : [event.endTime];
    });
    return ends.some((end) => end === null) ? null : Math.max(review.endTime ?? 0, ...ends.map(Number));
  }

  #reviewOf = (event: FrigateEvent) => this.reviews.find(({ eventIds }) => eventIds.includes(event.id));

  #update(event: FrigateEvent, changes: Parameters<FrigateBirdInView['update']>[0]): void {
    const before = { ...event };
    const { path, ...rest } = changes;
    Object.assign(event, rest);
    if (path) event.path = path.map(([x, y, at]) => [x, y, at / 1000]);
    if (event.endTime === null) this.#publishEvent('update', before, event);
  }

  name(event: FrigateEvent, name: string | null, score: number | null): void {
    const before = { ...event };
    event.subLabel = name;
    event.subLabelScore = name === null ? null : score;
    if (event.endTime === null) this.#publishEvent('update', before, event);
  }

  #end(event: FrigateEvent, at: number): void {
    if (event.endTime !== null) return;
    const before = { ...event };
    event.endTime = at;
    this.#publishEvent('end', before, event);
    const review = this.#reviewOf(event);
    if (review === undefined) return;
    const earlier = toHttpReview(review, this.events);
    review.endTime = this.#endOf(review);
    this.#publishReview(review.endTime === null ? 'update' : 'end', earlier, review);
  }

  /** Ends open events and segments, as a restart does. */
  endAllOpen(): void {
    for (const event of this.events) event.endTime ??= event.startTime + 30;
    for (const review of this.reviews) review.endTime ??= this.#now() / 1000;
  }

  /** Deletes a review segment, as retention does; its events are kept. */
  expireReview(id: string): void {
    const index = this.reviews.findIndex((review) => review.id === id);
    if (index >= 0) this.reviews.splice(index, 1);
  }

  /** Marks a review segment as reviewed. */
  markReviewed(id: string): void {
    for (const review of this.reviews) if (review.id === id) review.hasBeenReviewed = true;
  }

  #publishEvent(type: 'new' | 'update' | 'end', before: FrigateEvent, after: FrigateEvent): void {
    const message = { before: toMqttEvent(before, this.#version), after: toMqttEvent(after, this.#version) };
    this.#publish('events', JSON.stringify({ type, ...message }));
  }

  #publishReview(type: 'new' | 'update' | 'end', before: object | undefined, review: FrigateReview): void {
    const after = withoutSeen(toHttpReview(review, this.events));
    this.#publish('reviews', JSON.stringify({ type, before: before ? withoutSeen(before) : after, after }));
  }
}

function withoutSeen(review: object): object {
  const { has_been_reviewed: _seen, ...rest } = review as Record<string, unknown>;
  return rest;
}
