import { type MediaKind, mediaKindSql } from '@birdhub/domain/media';
import { isOfDemoSql } from '@birdhub/domain/recordings';
import type { Settings, SettingsReader } from '@birdhub/domain/settings';
import { BoundedMap } from '@birdhub/shared/async';
import { type BusEvent, deliveriesWithin, type Subscription } from '@birdhub/shared/bus';
import { type Clock, dayMs } from '@birdhub/shared/time';
import type pg from 'pg';
import type { MqttConnection } from './mqtt-connection.js';
import { backoffMs, followNewVisits, type NewVisitsDeps } from './new-visits.js';

/** Dependencies for publishing visits. */
export interface VisitPublisherDeps extends NewVisitsDeps {
  readonly mqtt: Pick<MqttConnection, 'publish'>;
  readonly settings: Pick<SettingsReader, 'current' | 'watch'>;
  readonly clock: Clock;
}

/** A published visit. */
export interface VisitMessage {
  readonly visit_id: number;
  readonly species: string;
  readonly scientific_name: string | null;
  readonly start_time: string;
  readonly end_time: string;
  readonly video_id: number;
  readonly media_kind: MediaKind;
  readonly camera_id: string | null;
  readonly max_simultaneous: number;
}

/** Enough for an event to expire, after a day at most, while the broker is unreachable. */
const maxDeliver = deliveriesWithin(dayMs, backoffMs);

const maxRemembered = 1_000;

const visitSql = `
  SELECT json_build_object('visit_id', visit.id, 'species', name, 'scientific_name', scientific_name,
    'start_time', visit.start_time, 'end_time', visit.end_time, 'video_id', video.id,
    'media_kind', ${mediaKindSql('video')},
    'camera_id', nullif(camera_id, ''), 'max_simultaneous', max_simultaneous) AS message
  FROM species_visit visit JOIN species ON species.id = species_id JOIN video ON video.id = $2
  WHERE visit.id = $1 AND NOT ${isOfDemoSql('video.id')}`;

/** Starts to publish visits by MQTT while the settings have a broker and a topic; outdated ones are skipped. */
export function startVisitPublisher(deps: VisitPublisherDeps): Pick<Subscription, 'close'> {
  const onVisit = createPublish(deps);
  return followNewVisits(deps, { durable: 'system-mqtt', maxDeliver, isEnabled, onVisit });
}

/** Publishes each event at most once per process, even if it is redelivered. */
function createPublish({ mqtt, settings, pool, clock }: VisitPublisherDeps) {
  const published = new BoundedMap<string, true>(maxRemembered);

  return async ({ id, payload }: BusEvent<'hub.v1.visit.started'>): Promise<void> => {
    const current = await settings.current();
    const { publish_topic: topic } = current.mqtt;
    const maxAgeMs = current.notifications.max_age_minutes * 60_000;
    const isRecent = clock.now() - Date.parse(payload.start_time) <= maxAgeMs;
    if (!isRecent || !isEnabled(current) || published.has(id)) return;
    const message = await findVisitMessage(pool, payload.visit_id, payload.video_id);
    if (!message) return;
    await mqtt.publish({ topic, payload: JSON.stringify(message) });
    published.set(id, true);
  };
}

function isEnabled({ mqtt }: Settings): boolean {
  return Boolean(mqtt.broker.trim() && mqtt.publish_topic);
}

/** Returns a visit with its first recording; undefined when either was deleted, or it is of the demo. */
async function findVisitMessage(
  pool: pg.Pool,
  visitId: number,
  videoId: number,
): Promise<VisitMessage | undefined> {
  const query = { name: 'visit-message', text: visitSql, values: [visitId, videoId] };
  return (await pool.query<{ message: VisitMessage }>(query)).rows[0]?.message;
}
