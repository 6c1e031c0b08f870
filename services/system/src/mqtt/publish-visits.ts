import type { Bus, BusEvent, Subscription } from '@birdhub/shared/bus';
import { recordDeadLetter } from '@birdhub/shared/outbox';
import type { SettingsReader } from '@birdhub/shared/settings';
import type { Clock } from '@birdhub/shared/time';
import type pg from 'pg';
import type { MqttLink } from './mqtt-link.js';
import { findVisitMessage } from './visit-message.store.js';

/** What visits are published with. */
export interface VisitPublishing {
  readonly bus: Pick<Bus, 'consume'>;
  readonly mqtt: Pick<MqttLink, 'publish'>;
  readonly settings: Pick<SettingsReader, 'current'>;
  readonly pool: pg.Pool;
  readonly clock: Clock;
}

type VisitStarted = BusEvent<'hub.v1.visit.started'>;

const backoffMs = [1_000, 5_000, 15_000];

/** Enough for a visit to grow too old, a day at most, while the broker is away. */
const maxDeliver = 24 * 60 * 4 + backoffMs.length;

const mostRemembered = 1_000;

/** Publishes each visit that starts on the topic of the settings; one that is no news any more is passed over. */
export function publishVisits({ bus, mqtt, settings, pool, clock }: VisitPublishing): Subscription {
  const published = new Set<string>();

  function remember(eventId: string): void {
    if (published.size >= mostRemembered) published.clear();
    published.add(eventId);
  }

  async function publish({ id, payload }: VisitStarted): Promise<void> {
    const { mqtt: to, notifications } = await settings.current();
    const isNews = clock.now() - Date.parse(payload.start_time) <= notifications.max_age_minutes * 60_000;
    if (!isNews || !to.broker.trim() || !to.publish_topic || published.has(id)) return;
    const message = await findVisitMessage(pool, payload.visit_id, payload.video_id);
    if (!message) return;
    await mqtt.publish({ topic: to.publish_topic, payload: JSON.stringify(message) });
    remember(id);
  }

  const subject = 'hub.v1.visit.started';
  const onDeadLetter = (letter: Parameters<typeof recordDeadLetter>[1]) => recordDeadLetter(pool, letter);
  return bus.consume(
    { durable: 'system-mqtt', subject, deliver: 'new', maxDeliver, backoffMs, concurrency: 1, onDeadLetter },
    publish,
  );
}
