import { isOfDemoSql, ownVisitsSql } from '@birdhub/domain/recordings';
import type { Settings, SettingsReader } from '@birdhub/domain/settings';
import { isSourceUp, listSourceSummaries } from '@birdhub/domain/sources';
import { countedSql } from '@birdhub/domain/species';
import { createLoop } from '@birdhub/shared/async';
import type { Bus, BusEvent } from '@birdhub/shared/bus';
import { HubError } from '@birdhub/shared/errors';
import { type Clock, type DayWindow, dayWindowAt } from '@birdhub/shared/time';
import type pg from 'pg';
import type { Logger } from 'pino';
import { loadMessageMedia } from '../channels/message-media.js';
import { type MqttConnection, type MqttMessage, onlineMessage } from '../mqtt/mqtt-connection.js';
import { findHeartbeat, isFresh } from '../processor/heartbeat.store.js';
import { linksOf, startBirdEvents } from './bird-events.js';
import {
  cameraMessages,
  discoveryMessages,
  feederPress,
  feederTopic,
  type HubState,
  type LastVisit,
  type NamedOrigin,
  sourceMessages,
  stateMessages,
} from './entities.js';
import { PublishedMessages } from './published-messages.js';

/** Dependencies of the integration. */
export interface HomeAssistantDeps {
  readonly mqtt: Pick<MqttConnection, 'state' | 'publish' | 'subscribe' | 'onConnect'>;
  readonly bus: Pick<Bus, 'subscribe' | 'consume'>;
  readonly settings: Pick<SettingsReader, 'current' | 'watch'>;
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly log: Logger;
  readonly basePath: string;
  readonly dataDir: string;
  readonly recordingsDir: string;
  /** Dispenses a portion of food. */
  readonly feed: () => Promise<unknown>;
}

/** Home Assistant publishes here when it has started. */
const birthTopic = 'homeassistant/status';

/** Polls, as a silent processor causes no event and events may be lost. */
const refreshIntervalMs = 30_000;
/** Changes within this time are published together. */
const wakeDelayMs = 250;
const retryMs = 5_000;
/** Larger pictures would be slow on brokers of small boards. */
const maxPictureBytes = 1_000_000;

const emptyState: HubState = { visits: 0, species: 0, lastVisit: null, isProcessorOnline: false };

/** Visits of the demo are left out. */
const birdsSql = `
  SELECT coalesce(sum(visits), 0) AS visits, count(*) AS species, (
    SELECT json_build_object('name', name, 'scientific_name', scientific_name, 'id', visit.id,
      'species_id', species_id, 'start_time', start_time, 'end_time', end_time, 'count', max_simultaneous,
      'video_id', best.video_id, 'detection_id', best.id, 'camera_id', nullif(best.camera_id, ''))
    FROM species_visit visit JOIN species ON species.id = species_id
    JOIN LATERAL (SELECT detection.id, video_id, camera_id FROM detection JOIN video ON video.id = video_id
      WHERE visit_id = visit.id AND NOT ${isOfDemoSql('video.id')}
      ORDER BY source = 'video' DESC, confidence DESC, detection.id LIMIT 1) AS best ON true
    WHERE ${countedSql()} AND EXISTS (SELECT FROM video WHERE NOT ${isOfDemoSql('video.id')})
    ORDER BY start_time DESC, visit.id DESC LIMIT 1) AS "lastVisit"
  FROM ${ownVisitsSql({ days: ['$1', '$1'], bounds: ['$2', '$3'] })} AS own JOIN species ON species.id = species_id
  WHERE ${countedSql()}`;

/**
 * Starts the integration: publishes the hub's state to Home Assistant by MQTT while the settings enable it, removes the
 * entities otherwise, and dispenses a portion of food on each press of its button.
 */
export function startHomeAssistant(deps: HomeAssistantDeps): { close(): Promise<void> } {
  const { mqtt, bus, settings, log } = deps;
  const messages = new PublishedMessages(deps);
  const loop = createLoop({
    work: () => refresh(deps, messages),
    everyMs: refreshIntervalMs,
    wakeDelayMs,
    retryMs,
    onError: (error) => log.warn({ err: error }, 'state not published to home assistant, retrying'),
  });
  const publishAll = () => {
    messages.forget();
    loop.wake();
  };
  mqtt.onConnect(publishAll);
  mqtt.subscribe(birthTopic, (payload) => {
    if (payload === 'online') publishAll();
  });
  mqtt.subscribe(onlineMessage.topic, (payload) => {
    // The last will of another system service, which has stopped.
    if (payload !== onlineMessage.payload) publishAll();
  });
  mqtt.subscribe(feederTopic, (payload, isRetained) => {
    // A retained press is outdated.
    if (payload === feederPress && !isRetained) void press(deps);
  });
  const stopWatching = settings.watch(
    () => loop.wake(),
    ['general', 'mqtt', 'notifications', 'video', 'feed'],
  );
  const events = bus.subscribe({ subjects: 'hub.v1.>' }, (event) => {
    if (mayChangeState(event)) loop.wake();
  });
  const birds = startBirdEvents(deps);
  return {
    async close() {
      stopWatching();
      await Promise.all([events.close(), birds.close()]);
      await loop.stop();
    },
  };
}

/** Publishes changed messages; returns the time until the next refresh, in ms. */
async function refresh(deps: HomeAssistantDeps, messages: PublishedMessages): Promise<number> {
  const { mqtt, settings, clock } = deps;
  if (mqtt.state() !== 'ok') return refreshIntervalMs;
  const current = await settings.current();
  const today = dayWindowAt(current.general.timezone, clock.now());
  const discovery = discoveryMessages(current);
  if (current.mqtt.ha_discovery) {
    const state = await readState(deps, today);
    const base = { baseUrl: current.notifications.base_url, basePath: deps.basePath };
    const links = linksOf(state.lastVisit ?? {}, base);
    await messages.publish([...discovery, onlineMessage, ...stateMessages(state, links)]);
    await messages.publishOrigins(await listOrigins(deps, current));
  } else {
    const removed = [...discovery, ...stateMessages(emptyState)];
    await messages.publish(removed.map((message) => ({ ...message, payload: '' })));
    await messages.publishOrigins([]);
  }
  return Math.min(refreshIntervalMs, today.end - clock.now());
}

function mayChangeState({ subject, payload }: BusEvent): boolean {
  if (subject === 'hub.v1.processor.reported') return payload.type === 'heartbeat';
  return /^hub\.v1\.(recording|detection\.corrected|visit|job|pictures)\b/.test(subject);
}

/** Handles a press, which is subject to the rules of the feeder. */
async function press({ settings, feed, log }: HomeAssistantDeps): Promise<void> {
  try {
    if (!(await settings.current()).mqtt.ha_discovery) return;
    await feed();
  } catch (error) {
    const reason = error instanceof HubError ? error.code : 'internal';
    log.warn({ reason, ...(reason === 'internal' && { err: error }) }, 'feeder button press not handled');
  }
}

type Birds = Pick<HubState, 'visits' | 'species' | 'lastVisit'>;

async function readState(deps: HomeAssistantDeps, today: DayWindow): Promise<HubState> {
  const { pool, clock } = deps;
  const [birds, heartbeat] = await Promise.all([readBirds(pool, today), findHeartbeat(pool)]);
  const picture = await readPicture(deps, birds.lastVisit);
  const isProcessorOnline = heartbeat !== undefined && isFresh(heartbeat.at, clock.now());
  return { ...birds, isProcessorOnline, picture };
}

async function readBirds(pool: pg.Pool, { day, start, end }: DayWindow): Promise<Birds> {
  const values = [day, new Date(start), new Date(end)];
  const { rows } = await pool.query<Birds>({ name: 'birds-today', text: birdsSql, values });
  return rows[0] ?? { visits: 0, species: 0, lastVisit: null };
}

async function readPicture(deps: HomeAssistantDeps, visit: LastVisit | null): Promise<HubState['picture']> {
  if (!visit) return undefined;
  const shown = { visitId: visit.id, detectionId: visit.detection_id ?? null, noticeId: null };
  const { picture, isPending } = await loadMessageMedia(deps, shown, { maxPictureBytes });
  return isPending ? 'pending' : picture?.content;
}

/** Lists the current cameras and sources, except paused ones. */
async function listOrigins({ pool, clock }: HomeAssistantDeps, settings: Settings): Promise<MqttMessage[]> {
  const sources = (await listSourceSummaries(pool)).filter(({ enabled }) => enabled);
  const reachability = sources.map((source) => ({
    id: String(source.id),
    name: source.name,
    isReachable: isSourceUp(source, clock.now()),
  }));
  const cameras = listCameras(settings, await listSeenCameras(pool));
  return [...cameraMessages(cameras), ...sourceMessages(reachability, settings)];
}

/** Lists the enabled cameras of the settings, and others with recordings. */
function listCameras({ video }: Settings, seen: readonly string[]): NamedOrigin[] {
  const named = new Map(video.cameras.map((camera) => [camera.id, camera]));
  const ids = new Set([...named.keys(), ...seen]);
  return [...ids].flatMap((id) => {
    const camera = named.get(id);
    return camera?.enabled === false ? [] : [{ id, name: camera?.name || id }];
  });
}

const camerasSql = `
  SELECT id FROM camera WHERE EXISTS (SELECT FROM video WHERE camera_id = camera.id AND camera_id <> '') ORDER BY id`;

async function listSeenCameras(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>({ name: 'cameras-seen', text: camerasSql });
  return rows.map(({ id }) => id);
}
