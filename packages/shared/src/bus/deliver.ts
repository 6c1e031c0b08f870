import type { Logger } from 'pino';
import { BoundedMap } from '../async/index.js';
import { errorMessage } from '../errors/index.js';
import { isSubject, parseEvent, type SubjectPattern, type SubjectsOf } from '../events/index.js';
import type { BusEvent, ConsumeOptions, EventHandler } from './bus.js';

/** An unvalidated event from the broker. */
export interface Delivery {
  readonly id: string;
  readonly subject: string;
  readonly payload: unknown;
  readonly requestId: string | undefined;
  readonly sequence: number;
  /** 1 for the first delivery. */
  readonly attempt: number;
  /** When the broker stored it, in ms since the epoch. */
  readonly storedAt: number;
}

/** The outcome of a delivery: acknowledge it, or deliver it again after a pause. */
export type Verdict = { readonly kind: 'settled' } | { readonly kind: 'again'; readonly afterMs: number };

const settled: Verdict = { kind: 'settled' };
const defaultPauseMs = 1_000;
const maxReasons = 1_000;

/** Maximum deliveries without an outcome, for example because of a shutdown or a lost connection. */
const maxLostDeliveries = 5;

/** Handles the deliveries of one durable consumer. */
export class Deliverer<P extends SubjectPattern> {
  readonly #options: ConsumeOptions<P>;
  readonly #handler: EventHandler<P>;
  readonly #log: Logger;
  /** Reasons of dead letters that this process could not store, by event; another process may have stored them since. */
  readonly #reasons = new BoundedMap<string, string>(maxReasons);

  constructor(options: ConsumeOptions<P>, handler: EventHandler<P>, log: Logger) {
    this.#options = options;
    this.#handler = handler;
    this.#log = log;
  }

  /** Handles a delivery, and returns its outcome. */
  async deliver(delivery: Delivery): Promise<Verdict> {
    const { durable, maxDeliver } = this.#options;
    const reason = this.#reasons.get(delivery.id);
    if (reason !== undefined) return this.#giveUp(delivery, reason);
    // Limits deliveries whose handler crashes the process and thus never reports a failure.
    if (delivery.attempt > maxDeliver + maxLostDeliveries)
      return this.#giveUp(delivery, 'no attempt was completed');
    let event: BusEvent<SubjectsOf<P>> | undefined;
    try {
      event = toEvent<P>(delivery);
    } catch (error) {
      return this.#giveUp(delivery, errorMessage(error));
    }
    if (event) return this.#attempt(delivery, event);
    this.#log.debug({ consumer: durable, subject: delivery.subject }, 'event of an unknown kind ignored');
    return settled;
  }

  async #attempt(delivery: Delivery, event: BusEvent<SubjectsOf<P>>): Promise<Verdict> {
    const { durable, maxDeliver, backoffMs } = this.#options;
    try {
      await this.#handler(event);
      return settled;
    } catch (error) {
      const reason = errorMessage(error);
      if (delivery.attempt >= maxDeliver) return this.#giveUp(delivery, reason);
      const { id, subject } = delivery;
      this.#log.warn({ consumer: durable, event_id: id, subject, err: error }, 'event not handled, retrying');
      return { kind: 'again', afterMs: retryDelay(backoffMs, delivery.attempt) };
    }
  }

  async #giveUp(delivery: Delivery, reason: string): Promise<Verdict> {
    const { durable, maxDeliver, backoffMs, onDeadLetter } = this.#options;
    const { id: eventId, subject, payload } = delivery;
    const attempts = Math.min(delivery.attempt, maxDeliver);
    const context = { consumer: durable, event_id: eventId, subject, reason, attempts };
    try {
      await onDeadLetter({ consumer: durable, eventId, subject, payload, error: reason, attempts });
    } catch (error) {
      this.#reasons.set(eventId, reason);
      this.#log.error({ ...context, err: error }, 'dead letter not stored, retrying');
      return { kind: 'again', afterMs: retryDelay(backoffMs, backoffMs.length) };
    }
    this.#reasons.delete(eventId);
    this.#log.error(context, 'event became a dead letter');
    return settled;
  }
}

/** Calls a live handler; failures are logged, without another delivery. */
export async function deliverLive<P extends SubjectPattern>(
  delivery: Delivery,
  handler: EventHandler<P>,
  log: Logger,
): Promise<void> {
  try {
    const event = toEvent<P>(delivery);
    if (event) await handler(event);
  } catch (error) {
    const { id, subject } = delivery;
    log.warn({ event_id: id, subject, err: error }, 'live event not handled');
  }
}

/** Returns the pause after a failed attempt, counted from 1. */
export function retryDelay(backoffMs: readonly number[], attempt: number): number {
  return backoffMs[Math.min(attempt, backoffMs.length) - 1] ?? defaultPauseMs;
}

/** Returns `maxDeliver` for an event that is to be retried for at least a time. */
export function deliveriesWithin(durationMs: number, backoffMs: readonly number[]): number {
  return backoffMs.length + Math.ceil(durationMs / retryDelay(backoffMs, backoffMs.length));
}

/**
 * Returns the typed event; undefined for a subject of a newer version.
 * @throws InvalidEventError when the payload does not match the catalogue
 */
function toEvent<P extends SubjectPattern>(delivery: Delivery): BusEvent<SubjectsOf<P>> | undefined {
  const { id, subject, requestId, sequence, attempt, storedAt } = delivery;
  if (!isSubject(subject)) return undefined;
  const payload = parseEvent(subject, delivery.payload);
  const event = { id, subject, payload, requestId, sequence, redelivered: attempt > 1, storedAt };
  return event as BusEvent<SubjectsOf<P>>;
}
