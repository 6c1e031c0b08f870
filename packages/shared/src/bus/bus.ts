import type { EventMap, Subject, SubjectPattern, SubjectsOf } from '../events/index.js';

/** An event as received by a handler; the subject determines the type of the payload. */
export type BusEvent<S extends Subject = Subject> = {
  [K in S]: {
    /** The same for all deliveries of an event, so that handlers can be idempotent. */
    readonly id: string;
    readonly subject: K;
    readonly payload: EventMap[K];
    /** Id of the request that caused the event. */
    readonly requestId: string | undefined;
    /** Position in the stream, increasing; restarts at 1 when the broker has lost its store. */
    readonly sequence: number;
    readonly redelivered: boolean;
    /** When the broker stored it, in ms since the epoch. */
    readonly storedAt: number;
  };
}[S];

/** Handles one event; a rejection leads to another delivery. */
export type EventHandler<P extends SubjectPattern> = (event: BusEvent<SubjectsOf<P>>) => Promise<void> | void;

/** Options of a published event. */
export interface PublishOptions {
  /** Deduplicates within two minutes. */
  readonly id: string;
  readonly requestId?: string | undefined;
}

/** An event that a consumer failed to handle. */
export interface DeadLetter {
  readonly consumer: string;
  readonly eventId: string;
  readonly subject: string;
  readonly payload: unknown;
  readonly error: string;
  readonly attempts: number;
}

/** Options of a durable consumer, whose events are distributed among all processes that use its name. */
export interface ConsumeOptions<P extends SubjectPattern> {
  /** `<service>-<purpose>`; the broker stores the position under this name. */
  readonly durable: string;
  readonly subject: P;
  /** Where a new consumer starts. */
  readonly deliver: 'all' | 'new';
  /** Attempts before `onDeadLetter` gets the event. */
  readonly maxDeliver: number;
  /** Pauses after the first, second, … failed attempt; the last one applies to all further ones. */
  readonly backoffMs: readonly number[];
  /**
   * Events handled concurrently by one process. With 1 the order is strict across processes and redeliveries: a failing
   * event blocks later ones until it succeeds or becomes a dead letter.
   */
  readonly concurrency: number;
  /** An obsolete durable of an earlier version, which is deleted. */
  readonly replaces?: string;
  /** Stores the dead letter; retried when it rejects. */
  readonly onDeadLetter: (letter: DeadLetter) => Promise<void>;
}

/** Options of a live subscription of this process, without acknowledgements and redeliveries. */
export interface SubscribeOptions<P extends SubjectPattern> {
  readonly subjects: P;
  /** First sequence to deliver. Without it and `fromTime`, delivery starts when the subscription is `ready`. */
  readonly fromSequence?: number | undefined;
  /** Delivers events stored at or after this instant (ms since the epoch), if no sequence is known. */
  readonly fromTime?: number | undefined;
}

/** The sequences of the first and the last event of the stream; `last` is `first` - 1 when it is empty. */
export interface StreamExtent {
  readonly first: number;
  readonly last: number;
}

/** A subscription or consumer, which survives outages of the broker until it is closed. */
export interface Subscription {
  /** Resolves when the broker has registered the subscription, or when it is closed. */
  readonly ready: Promise<void>;
  /** Accepts no more events and resolves when those in progress are handled. */
  close(): Promise<void>;
}

export type BusStatus = 'ok' | 'error';

/** Thrown when the broker is not reachable or did not respond in time; a retry may succeed. */
export class BusUnavailableError extends Error {
  override readonly name = 'BusUnavailableError';
}
