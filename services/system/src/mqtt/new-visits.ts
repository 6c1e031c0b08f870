import type { Settings, SettingsReader } from '@birdhub/domain/settings';
import type { Bus, BusEvent, DeadLetter, Subscription } from '@birdhub/shared/bus';
import { recordDeadLetter } from '@birdhub/shared/outbox';
import type pg from 'pg';

/** Dependencies for following new visits. */
export interface NewVisitsDeps {
  readonly bus: Pick<Bus, 'consume'>;
  readonly settings: Pick<SettingsReader, 'watch'>;
  readonly pool: pg.Pool;
}

/** A consumer of new visits. */
export interface NewVisitsFollower {
  /** The name of the durable consumer. */
  readonly durable: string;
  /** Maximum deliveries of a visit whose handling fails. */
  readonly maxDeliver: number;
  readonly isEnabled: (settings: Settings) => boolean;
  readonly onVisit: (event: BusEvent<'hub.v1.visit.started'>) => Promise<void>;
}

/** Delays before redeliveries of a failed visit, in ms; the last one applies to all further ones. */
export const backoffMs = [1_000, 5_000, 15_000];

/** Handles each new visit sequentially while the settings enable it. */
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
