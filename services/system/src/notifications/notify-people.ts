import type { Bus, DeadLetter, Subscription } from '@birdhub/shared/bus';
import { recordDeadLetter } from '@birdhub/shared/outbox';
import type pg from 'pg';
import type { Deliverer } from './deliver-messages.js';
import type { Telling } from './tell-people.js';

/** What listens for news, and whom it tells. */
export interface NotifyingParts {
  readonly bus: Pick<Bus, 'consume'>;
  readonly pool: pg.Pool;
  readonly telling: Telling;
  readonly deliverer: Pick<Deliverer, 'wake'>;
}

const backoffMs = [500, 2_000, 15_000];

/** Enough for news to grow too old, a day at most, while the database is away. */
const maxDeliver = 24 * 60 * 4 + backoffMs.length;

/** Tells people of visits that start and of what processors announce; messages are kept before an event is done. */
export function notifyPeople({ bus, pool, telling, deliverer }: NotifyingParts): Subscription[] {
  const options = {
    deliver: 'new',
    maxDeliver,
    backoffMs,
    concurrency: 32,
    onDeadLetter: (letter: DeadLetter) => recordDeadLetter(pool, letter),
  } as const;
  const visits = { ...options, durable: 'system-push', subject: 'hub.v1.visit.started' } as const;
  const notices = {
    ...options,
    durable: 'system-push-notices',
    subject: 'hub.v1.detection.notified',
  } as const;
  const wakeIf = (isTold: boolean) => {
    if (isTold) deliverer.wake();
  };
  return [
    bus.consume(visits, async ({ payload }) => wakeIf(await telling.ofVisit(payload))),
    bus.consume(notices, async ({ payload }) => wakeIf(await telling.ofNotice(payload))),
  ];
}
