import type {
  CommandMap,
  CommandSubject,
  EventMap,
  ReplyMap,
  RequestSubject,
  Subject,
  SubjectPattern,
  SubjectsOf,
} from '../events/index.js';

/** An event as a handler receives it; the subject determines the type of the payload. */
export type BusEvent<S extends Subject = Subject> = {
  [K in S]: {
    /** The same for every delivery of the event: handlers are idempotent by it. */
    readonly id: string;
    readonly subject: K;
    readonly payload: EventMap[K];
    /** The id of the request that caused it. */
    readonly requestId: string | undefined;
    /** Position in the stream, increasing; restarts at 1 when the broker has lost its store. */
    readonly sequence: number;
    readonly redelivered: boolean;
    /** When the broker stored it, in ms since the epoch. */
    readonly storedAt: number;
  };
}[S];

/** Handles one event of a pattern; a rejection means that it was not handled. */
export type EventHandler<P extends SubjectPattern> = (event: BusEvent<SubjectsOf<P>>) => Promise<void> | void;

/** Identifies an event and the request that caused it. */
export interface PublishOptions {
  /** An id that is published again within two minutes is stored once. */
  readonly id: string;
  readonly requestId?: string | undefined;
}

/** An event that a consumer gave up on. */
export interface DeadLetter {
  readonly consumer: string;
  readonly eventId: string;
  readonly subject: string;
  readonly payload: unknown;
  readonly error: string;
  readonly attempts: number;
}

/** A durable consumer: all processes that use its name share its events, each event goes to one of them. */
export interface ConsumeOptions<P extends SubjectPattern> {
  /** `<service>-<purpose>`; the broker keeps the position under this name. */
  readonly durable: string;
  readonly subject: P;
  /** Where a new consumer starts. */
  readonly deliver: 'all' | 'new';
  /** Attempts before `onDeadLetter` gets the event. */
  readonly maxDeliver: number;
  /** Pause after the first, second, … failed attempt; the last one applies to all further ones. */
  readonly backoffMs: readonly number[];
  /**
   * Events handled at once by one process. With 1 the order is strict across processes and redeliveries: an event
   * that fails blocks those behind it until it succeeds or is given up.
   */
  readonly concurrency: number;
  /** The durable of an earlier version that this one replaces; it is deleted. */
  readonly replaces?: string;
  /** Stores the letter; called again later when it rejects. */
  readonly onDeadLetter: (letter: DeadLetter) => Promise<void>;
}

/** A live subscription of this process alone; nothing is acknowledged or delivered again. */
export interface SubscribeOptions<P extends SubjectPattern> {
  readonly subjects: P;
  /** First sequence to deliver. Without it and `fromTime`, delivery starts when the subscription is `ready`. */
  readonly fromSequence?: number | undefined;
  /** Delivers what the broker stored at or after this instant (ms), where no sequence is known. */
  readonly fromTime?: number | undefined;
}

/** The sequences of the first and the last event of the stream; `last` is `first` - 1 when it is empty. */
export interface StreamExtent {
  readonly first: number;
  readonly last: number;
}

/** Active until closed, through every outage of the broker. */
export interface Subscription {
  /** Resolves when the broker has registered it, or when it is closed before that. */
  readonly ready: Promise<void>;
  /** Takes no more events and resolves when those in progress are handled. */
  close(): Promise<void>;
}

export type BusStatus = 'ok' | 'error';

/** The event stream. Creating a bus does not wait for the broker. */
export interface Bus {
  /**
   * Resolves when the broker has stored the event.
   * @throws InvalidEventError when it can never be published, BusUnavailableError when it cannot be published now
   */
  publish<S extends Subject>(subject: S, payload: EventMap[S], options: PublishOptions): Promise<void>;
  consume<P extends SubjectPattern>(options: ConsumeOptions<P>, handler: EventHandler<P>): Subscription;
  /** Calls the handler in order, one event after the other, without a gap from its start on. */
  subscribe<P extends SubjectPattern>(options: SubscribeOptions<P>, handler: EventHandler<P>): Subscription;
  /** @throws BusUnavailableError */
  extent(): Promise<StreamExtent>;
  /** Sends to the current subscribers; resolves when the broker has received it. */
  sendCommand<C extends CommandSubject>(
    subject: C,
    payload: CommandMap[C],
    requestId?: string,
  ): Promise<void>;
  /**
   * Sends a command and returns the reply; undefined when none came in time.
   * @throws BusUnavailableError when the broker is not reachable or no process handles the command
   */
  request<R extends RequestSubject>(
    subject: R,
    payload: CommandMap[R],
    timeoutMs: number,
  ): Promise<ReplyMap[R] | undefined>;
  /** Replies to a command; each is handled by one of the processes that do so. A rejection sends no reply. */
  handle<R extends RequestSubject>(
    subject: R,
    handler: (payload: CommandMap[R]) => Promise<ReplyMap[R]>,
  ): Subscription;
  status(): BusStatus;
  /** Calls back on every change of the status; returns a function that removes the listener. */
  onStatus(listener: (status: BusStatus) => void): () => void;
  /** Closes all subscriptions, waits for running handlers, and disconnects. */
  close(): Promise<void>;
}

/** The broker is not reachable or did not respond in time; a later attempt may succeed. */
export class BusUnavailableError extends Error {
  override readonly name = 'BusUnavailableError';
}
