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

/** An event as a handler gets it; its subject tells which payload it has. */
export type BusEvent<S extends Subject = Subject> = {
  [K in S]: {
    /** Stays the same however often the event is delivered: handlers are idempotent by it. */
    readonly id: string;
    readonly subject: K;
    readonly payload: EventMap[K];
    /** The request that caused it. */
    readonly requestId: string | undefined;
    /** Position in the stream, rising; starts again at 1 when the broker has lost its store. */
    readonly sequence: number;
    readonly redelivered: boolean;
    /** When the broker stored it, in ms since the epoch. */
    readonly storedAt: number;
  };
}[S];

/** Handles one event of a pattern; a rejection means that it was not handled. */
export type EventHandler<P extends SubjectPattern> = (event: BusEvent<SubjectsOf<P>>) => Promise<void> | void;

/** How an event is told apart from all others and which request caused it. */
export interface PublishOptions {
  /** The same id within two minutes is stored once. */
  readonly id: string;
  readonly requestId?: string | undefined;
}

/** An event that a consumer gave up. */
export interface DeadLetter {
  readonly consumer: string;
  readonly eventId: string;
  readonly subject: string;
  readonly payload: unknown;
  readonly error: string;
  readonly attempts: number;
}

/** A durable consumer: all processes that name it share its events, each event goes to one of them. */
export interface ConsumeOptions<P extends SubjectPattern> {
  /** `<service>-<purpose>`; the broker remembers under this name what was handled. */
  readonly durable: string;
  readonly subject: P;
  /** Where a consumer that never existed begins. */
  readonly deliver: 'all' | 'new';
  /** Attempts before `onDeadLetter` gets the event. */
  readonly maxDeliver: number;
  /** Pause after the first, second, … failed attempt; the last one counts for all further ones. */
  readonly backoffMs: readonly number[];
  /**
   * Events handled at once by one process. With 1 the order is strict, over all processes and redeliveries: an
   * event that fails holds up those behind it until it succeeds or is given up.
   */
  readonly concurrency: number;
  /** The durable of an earlier version that this one takes the place of; the broker forgets it. */
  readonly replaces?: string;
  /** Keeps the letter where someone sees it; when it rejects, it is called again later. */
  readonly onDeadLetter: (letter: DeadLetter) => Promise<void>;
}

/** A live view of the stream, for this process alone; nothing is acknowledged or delivered again. */
export interface SubscribeOptions<P extends SubjectPattern> {
  readonly subjects: P;
  /** First sequence to deliver; without it and a time, what comes after the subscription is `ready`. */
  readonly fromSequence?: number | undefined;
  /** Instant in ms from which on the broker stored what is delivered, where no sequence is known. */
  readonly fromTime?: number | undefined;
}

/** What the stream holds: the sequences of its first and last event; `last` is one less than `first` when it is empty. */
export interface StreamExtent {
  readonly first: number;
  readonly last: number;
}

/** Something that listens until closed, through every absence of the broker. */
export interface Subscription {
  /** Resolves when the broker knows of it, or when it is closed before that. */
  readonly ready: Promise<void>;
  /** Takes no more events and resolves when those in hand are handled. */
  close(): Promise<void>;
}

export type BusStatus = 'ok' | 'error';

/** The stream of events. Nothing here waits at start for a broker that is away. */
export interface Bus {
  /**
   * Resolves when the broker has stored the event.
   * @throws InvalidEventError when it can never be published, BusUnavailableError when it cannot be now
   */
  publish<S extends Subject>(subject: S, payload: EventMap[S], options: PublishOptions): Promise<void>;
  consume<P extends SubjectPattern>(options: ConsumeOptions<P>, handler: EventHandler<P>): Subscription;
  /** Calls the handler in order, one event after the other, without a gap from its beginning on. */
  subscribe<P extends SubjectPattern>(options: SubscribeOptions<P>, handler: EventHandler<P>): Subscription;
  /** @throws BusUnavailableError */
  extent(): Promise<StreamExtent>;
  /** Sends to whoever listens now; resolves when the broker has it. */
  sendCommand<C extends CommandSubject>(
    subject: C,
    payload: CommandMap[C],
    requestId?: string,
  ): Promise<void>;
  /**
   * Asks whoever handles a command; undefined when no reply came in time.
   * @throws BusUnavailableError when the broker is away or nobody handles it
   */
  request<R extends RequestSubject>(
    subject: R,
    payload: CommandMap[R],
    timeoutMs: number,
  ): Promise<ReplyMap[R] | undefined>;
  /** Replies to a command; each is handled by one of the processes that do. A rejection sends no reply. */
  handle<R extends RequestSubject>(
    subject: R,
    handler: (payload: CommandMap[R]) => Promise<ReplyMap[R]>,
  ): Subscription;
  status(): BusStatus;
  /** Calls back on every change of the status; answers how to stop that. */
  onStatus(listener: (status: BusStatus) => void): () => void;
  /** Closes all subscriptions, waits for handlers in hand, lets go of the broker. */
  close(): Promise<void>;
}

/** The broker is away or did not answer in time; the same again later may succeed. */
export class BusUnavailableError extends Error {
  override readonly name = 'BusUnavailableError';
}
