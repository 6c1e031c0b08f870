import type { Settings, SettingsReader } from '@birdhub/domain/settings';
import type { Bus, BusEvent, DeadLetter, Subscription } from '@birdhub/shared/bus';
import { recordDeadLetter } from '@birdhub/shared/outbox';
import type pg from 'pg';

/** What following new visits needs. */
export interface NewVisitsDeps {
  readonly bus: Pick<Bus, 'consume'>;
  readonly settings: Pick<SettingsReader, 'watch'>;
  readonly pool: pg.Pool;
}

/** Who follows new visits, and when. */
export interface NewVisitsFollower {
  /** The name under which the bus keeps the follower's place. */
  readonly durable: string;
  /** How often a visit is delivered whose handling fails. */
  readonly maxDeliver: number;
  readonly isEnabled: (settings: Settings) => boolean;
  readonly onVisit: (event: BusEvent<'hub.v1.visit.started'>) => Promise<void>;
}

/** Waits before the next deliveries of a visit whose handling failed, in ms; the last is that of all further ones. */
export const backoffMs = [1_000, 5_000, 15_000];

/** Has each new visit handled, one after the other, while the settings of MQTT enable it. */
export function followNewVisits(
  { bus, settings, pool }: NewVisitsDeps,
  { durable, maxDeliver, isEnabled, onVisit }: NewVisitsFollower,
): Pick<Subscription, 'close'> {
  const options = {
    durable,
    subject: 'hub.v1.visit.started',
    deliver: 'new',
    maxDeliver,
    backoffMs,
    concurrency: 1,
    onDeadLetter: (letter: DeadLetter) => recordDeadLetter(pool, letter),
  } as const;
  let subscription: Subscription | undefined;
  let closed: Promise<void> = Promise.resolve();

  function unsubscribe(): void {
    const last = subscription;
    subscription = undefined;
    closed = closed.then(() => last?.close());
  }

  const stopWatching = settings.watch(
    (current) => {
      if (!isEnabled(current)) unsubscribe();
      else subscription ??= bus.consume(options, onVisit);
    },
    ['mqtt'],
  );
  return {
    close() {
      stopWatching();
      unsubscribe();
      return closed;
    },
  };
}
