import { isOfDemoSql } from '@birdhub/domain/recordings';
import type { Settings, SettingsReader } from '@birdhub/domain/settings';
import { BoundedMap } from '@birdhub/shared/async';
import type { BusEvent, Subscription } from '@birdhub/shared/bus';
import type { Clock } from '@birdhub/shared/time';
import type pg from 'pg';
import { addressOf } from '../channels/hub-links.js';
import { type MqttConnection, MqttUnavailableError } from '../mqtt/mqtt-connection.js';
import { backoffMs, followNewVisits, type NewVisitsDeps } from '../mqtt/new-visits.js';
import { arrived, cameraTopic, eventTopic } from './entities.js';

/** Dependencies of the bird events. */
export interface BirdEventsDeps extends NewVisitsDeps {
  readonly mqtt: Pick<MqttConnection, 'publish' | 'state'>;
  readonly settings: Pick<SettingsReader, 'current' | 'watch'>;
  readonly clock: Clock;
  readonly basePath: string;
}

/** The ids for the links of a visit. */
export interface LinkedVisit {
  readonly video_id?: number | null;
  readonly detection_id?: number | null;
}

interface ArrivedBird extends LinkedVisit {
  readonly visit_id: number;
  readonly species: string;
  readonly scientific_name: string | null;
  readonly time: string;
  readonly count: number;
  readonly camera_id: string | null;
}

const maxDeliver = backoffMs.length + 20;
/** Visits that ended earlier are not published, as they would trigger automations for birds that have left. */
const maxAgeMs = 5 * 60_000;
const maxRemembered = 1_000;

const birdSql = `
  SELECT visit.id AS visit_id, name AS species, scientific_name, visit.start_time AS time, max_simultaneous AS count,
    video.id AS video_id, nullif(camera_id, '') AS camera_id,
    (SELECT id FROM detection WHERE visit_id = visit.id AND video_id = video.id
      ORDER BY source = 'video' DESC, confidence DESC, id LIMIT 1) AS detection_id
  FROM species_visit visit JOIN species ON species.id = species_id JOIN video ON video.id = $2
  WHERE visit.id = $1 AND NOT ${isOfDemoSql('video.id')}`;

/** Starts to publish events for each visit, of the hub and of the camera, while the settings enable discovery. */
export function startBirdEvents(deps: BirdEventsDeps): Pick<Subscription, 'close'> {
  const onVisit = createPublish(deps);
  return followNewVisits(deps, { durable: 'system-home-assistant', maxDeliver, isEnabled, onVisit });
}

function isEnabled({ mqtt }: Settings): boolean {
  return Boolean(mqtt.broker.trim() && mqtt.ha_discovery);
}

/** Publishes each event at most once per process. An event without an acknowledgement is not repeated. */
function createPublish({ mqtt, settings, pool, clock, basePath }: BirdEventsDeps) {
  const published = new BoundedMap<string, true>(maxRemembered);

  return async ({ id, payload }: BusEvent<'hub.v1.visit.started'>): Promise<void> => {
    const current = await settings.current();
    const isRecent = clock.now() - Date.parse(payload.end_time) <= maxAgeMs;
    if (!isRecent || !isEnabled(current) || published.has(id)) return;
    const bird = await findBird(pool, payload.visit_id, payload.video_id);
    if (!bird) return;
    const base = { baseUrl: current.notifications.base_url, basePath };
    const event = JSON.stringify({ event_type: arrived, ...bird, ...linksOf(bird, base) });
    const topics = [eventTopic, ...(bird.camera_id === null ? [] : [cameraTopic(bird.camera_id)])];
    for (const topic of topics) {
      if (published.has(`${id} ${topic}`)) continue;
      try {
        await mqtt.publish({ topic, payload: event });
      } catch (error) {
        if (!(error instanceof MqttUnavailableError && error.mayHaveArrived)) throw error;
      }
      published.set(`${id} ${topic}`, true);
    }
    published.set(id, true);
  };
}

/** Returns a visit with its first recording; undefined when either was deleted, or it is of the demo. */
async function findBird(pool: pg.Pool, visitId: number, videoId: number): Promise<ArrivedBird | undefined> {
  const query = { name: 'arrived-bird', text: birdSql, values: [visitId, videoId] };
  return (await pool.query<ArrivedBird>(query)).rows[0];
}

/** Returns the URLs of a visit's page, recording and picture. */
export function linksOf(
  { video_id: videoId, detection_id: detectionId }: LinkedVisit,
  base: { readonly baseUrl: string; readonly basePath: string },
): Record<string, string> {
  return {
    ...(videoId && {
      url: addressOf(base, `/videos/${videoId}`),
      clip_url: addressOf(base, `/api/ui/videos/${videoId}/stream`),
    }),
    ...(detectionId && { crop_url: addressOf(base, `/api/ui/detections/${detectionId}/crop`) }),
  };
}
