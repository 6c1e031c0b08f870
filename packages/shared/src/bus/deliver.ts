import type { Logger } from 'pino';
import { isSubject, parseEvent, type SubjectPattern, type SubjectsOf } from '../events/index.js';
import type { BusEvent, ConsumeOptions, EventHandler } from './bus.js';

/** An event as it came from the broker, not yet trusted. */
export interface Delivery {
  readonly id: string;
  readonly subject: string;
  readonly payload: unknown;
  readonly requestId: string | undefined;
  readonly sequence: number;
  /** 1 for the first time. */
  readonly attempt: number;
  /** When the broker stored it, in ms since the epoch. */
  readonly storedAt: number;
}

/** What to tell the broker: it is settled, or it comes again after a pause. */
export type Verdict = { readonly kind: 'settled' } | { readonly kind: 'again'; readonly afterMs: number };

const settled: Verdict = { kind: 'settled' };
const defaultPauseMs = 1_000;
const mostReasons = 1_000;

/** Deliveries that may go astray, at a shutdown or with a connection, before they count as attempts. */
const mostLostDeliveries = 5;

/** The pause after the given failed attempt, counted from 1. */
export function retryDelay(backoffMs: readonly number[], attempt: number): number {
  return backoffMs[Math.min(attempt, backoffMs.length) - 1] ?? defaultPauseMs;
}

/** The typed event, or undefined when a newer service speaks of something this one does not know. */
export function toEvent<P extends SubjectPattern>(delivery: Delivery): BusEvent<SubjectsOf<P>> | undefined {
  const { id, subject, requestId, sequence, attempt, storedAt } = delivery;
  if (!isSubject(subject)) return undefined;
  const payload = parseEvent(subject, delivery.payload);
  const event = { id, subject, payload, requestId, sequence, redelivered: attempt > 1, storedAt };
  return event as BusEvent<SubjectsOf<P>>;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Decides about one delivery after another of one consumer, the same way whatever the broker is. */
export function createDeliverer<P extends SubjectPattern>(
  options: ConsumeOptions<P>,
  handler: EventHandler<P>,
  log: Logger,
): (delivery: Delivery) => Promise<Verdict> {
  const { durable, maxDeliver, backoffMs, onDeadLetter } = options;
  const reasons = new Map<string, string>();

  function remember(eventId: string, reason: string): void {
    // Another process may keep the letter in the end: what is remembered here must not pile up.
    if (reasons.size >= mostReasons) reasons.clear();
    reasons.set(eventId, reason);
  }

  async function giveUp(delivery: Delivery, reason: string): Promise<Verdict> {
    const { id: eventId, subject, payload } = delivery;
    const attempts = Math.min(delivery.attempt, maxDeliver);
    const context = { consumer: durable, event_id: eventId, subject, reason, attempts };
    try {
      await onDeadLetter({ consumer: durable, eventId, subject, payload, error: reason, attempts });
    } catch (error) {
      remember(eventId, reason);
      log.error({ ...context, err: error }, 'dead letter not stored, retrying');
      return { kind: 'again', afterMs: retryDelay(backoffMs, backoffMs.length) };
    }
    reasons.delete(eventId);
    log.error(context, 'event became a dead letter');
    return settled;
  }

  async function attempt(delivery: Delivery, event: BusEvent<SubjectsOf<P>>): Promise<Verdict> {
    try {
      await handler(event);
      return settled;
    } catch (error) {
      const reason = reasonOf(error);
      if (delivery.attempt >= maxDeliver) return giveUp(delivery, reason);
      const { id, subject } = delivery;
      log.warn({ consumer: durable, event_id: id, subject, err: error }, 'event not handled, trying again');
      return { kind: 'again', afterMs: retryDelay(backoffMs, delivery.attempt) };
    }
  }

  return async (delivery) => {
    const reason = reasons.get(delivery.id);
    if (reason !== undefined) return giveUp(delivery, reason);
    // A handler that takes the whole process down never reports its failure; it must not do so for ever.
    if (delivery.attempt > maxDeliver + mostLostDeliveries)
      return giveUp(delivery, 'no attempt came to an end');
    let event: BusEvent<SubjectsOf<P>> | undefined;
    try {
      event = toEvent<P>(delivery);
    } catch (error) {
      return giveUp(delivery, reasonOf(error));
    }
    if (event) return attempt(delivery, event);
    log.debug({ consumer: durable, subject: delivery.subject }, 'event of an unknown kind ignored');
    return settled;
  };
}
