import { assertEvent, type EventMap, type Subject } from '../events/index.js';

/** What a writer puts into the table `outbox` within its own transaction. */
export interface OutboxRow {
  readonly subject: Subject;
  /** Events of one key are published in the order of their rows; the writer holds a lock that orders them. */
  readonly orderingKey: string;
  readonly payload: unknown;
  readonly requestId: string | null;
}

/** @throws InvalidEventError when the payload is not what the catalogue asks for */
export function outboxRow<S extends Subject>(
  subject: S,
  orderingKey: string,
  payload: EventMap[S],
  requestId: string | undefined,
): OutboxRow {
  assertEvent(subject, payload);
  return { subject, orderingKey, payload, requestId: requestId ?? null };
}
