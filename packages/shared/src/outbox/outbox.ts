import { assertEvent, type EventMap, type Subject } from '../events/index.js';

/** An event as a writer puts it into the table `outbox`, in the transaction of the change. */
export interface OutboxRow {
  readonly subject: Subject;
  /** Events of one key are published in the order of their rows; the writer holds a lock that orders them. */
  readonly orderingKey: string;
  readonly payload: unknown;
  readonly requestId: string | null;
}

/** @throws InvalidEventError when the payload is not what the catalogue allows */
export function outboxRow<S extends Subject>(
  subject: S,
  orderingKey: string,
  payload: EventMap[S],
  requestId: string | undefined,
): OutboxRow {
  assertEvent(subject, payload);
  return { subject, orderingKey, payload, requestId: requestId ?? null };
}
