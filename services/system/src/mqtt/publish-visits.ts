import type { Settings, SettingsReader } from '@birdhub/domain/settings';
import type { Bus, BusEvent, Subscription } from '@birdhub/shared/bus';
import { recordDeadLetter } from '@birdhub/shared/outbox';
import type { Clock } from '@birdhub/shared/time';
import type pg from 'pg';
import type { MqttLink } from './mqtt-link.js';
import { findVisitMessage } from './visit-message.store.js';

/** What visits are published with. */
export interface VisitPublishing {
  readonly bus: Pick<Bus, 'consume'>;
  readonly mqtt: Pick<MqttLink, 'publish'>;
  readonly settings: Pick<SettingsReader, 'current' | 'watch'>;
  readonly pool: pg.Pool;
  readonly clock: Clock;
}

type VisitStarted = BusEvent<'hub.v1.visit.started'>;

const backoffMs = [1_000, 5_000, 15_000];

/** Enough for a visit to grow too old, a day at most, while the broker is away. */
const maxDeliver = 24 * 60 * 4 + backoffMs.length;

const mostRemembered = 1_000;

const isWanted = ({ mqtt }: Settings) => Boolean(mqtt.broker.trim() && mqtt.publish_topic);

/**
 * Publishes each visit that starts, while the settings name a broker and a topic; one that is no news any more is
 * passed over.
 */
export function publishVisits({
  bus,
  mqtt,
  settings,
  pool,
  clock,
}: VisitPublishing): Pick<Subscription, 'close'> {
  const published = new Set<string>();

  function remember(eventId: string): void {
    if (published.size >= mostRemembered) published.clear();
    published.add(eventId);
  }

  async function publish({ id, payload }: VisitStarted): Promise<void> {
    const current = await settings.current();
    const { mqtt: to, notifications } = current;
    const isNews = clock.now() - Date.parse(payload.start_time) <= notifications.max_age_minutes * 60_000;
    if (!isNews || !isWanted(current) || published.has(id)) return;
    const message = await findVisitMessage(pool, payload.visit_id, payload.video_id);
    if (!message) return;
    await mqtt.publish({ topic: to.publish_topic, payload: JSON.stringify(message) });
    remember(id);
  }

  const subject = 'hub.v1.visit.started';
  const onDeadLetter = (letter: Parameters<typeof recordDeadLetter>[1]) => recordDeadLetter(pool, letter);
  const listen = () =>
    bus.consume(
      {
        durable: 'system-mqtt',
        subject,
        deliver: 'new',
        maxDeliver,
        backoffMs,
        concurrency: 1,
        onDeadLetter,
      },
      publish,
    );
  let listening: Subscription | undefined;
  let left: Promise<void> = Promise.resolve();
  function leave(): void {
    const last = listening;
    listening = undefined;
    left = left.then(() => last?.close());
  }
  const stopWatching = settings.watch((current) => {
    if (!isWanted(current)) leave();
    else listening ??= listen();
  });
  return {
    close() {
      stopWatching();
      leave();
      return left;
    },
  };
}
