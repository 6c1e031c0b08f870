import type { Logger } from 'pino';
import type { SubjectPattern } from '../events/index.js';
import type { EventHandler } from './bus.js';
import { type Delivery, toEvent } from './deliver.js';

/** Hands one event to a live handler; what it cannot handle is logged and passed over. */
export async function callLive<P extends SubjectPattern>(
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
