import { unitsIn } from '@birdhub/domain/language';
import { hubName, type Settings, type SettingsReader } from '@birdhub/domain/settings';
import { deriveSourceState, listSourceSummaries, type SourceSummary } from '@birdhub/domain/sources';
import { basicAuthorization } from '@birdhub/shared/outgoing';
import { type Clock, parseQueryTime } from '@birdhub/shared/time';
import type pg from 'pg';
import type { MqttConnection, MqttState } from '../mqtt/mqtt-connection.js';
import { type Heartbeat, isFresh, type MqttPosts, readProcessorState } from '../processor/heartbeat.store.js';
import type { ComponentState, Status } from './status.schema.js';

/** Reads the status of the hub. */
export interface StatusReader {
  read(): Promise<Status>;
}

/** Dependencies of the status. */
export interface StatusDeps {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly settings: Pick<SettingsReader, 'current' | 'watch'>;
  readonly mqtt: Pick<MqttConnection, 'state'>;
  /** Whether the disk is full and nothing is left to purge. */
  readonly isDiskFull: () => boolean;
}

/** The part of the status that is derived from facts; the other fields are taken from settings. */
export type DerivedStatus = Omit<
  Status,
  | 'timezone'
  | 'doubt_threshold'
  | 'app_name'
  | 'units'
  | 'time_format'
  | 'sharing_enabled'
  | 'mqtt_posts'
  | 'sources'
>;

/** The facts that the status is derived from. */
export interface StatusFacts {
  readonly now: number;
  readonly heartbeat: Heartbeat | undefined;
  readonly isRestartPending: boolean;
  readonly mqtt: MqttState;
  readonly esphome: ComponentState;
  readonly video: Settings['video'];
  readonly storage: ComponentState;
}

/** Tolerance for the clock of a processor; times further ahead are ignored. */
const maxAheadMs = 5 * 60_000;

/** Creates the reader. A read executes two statements, for the processor and the sources; all else is in memory. */
export function createStatusReader({ pool, clock, settings, mqtt, isDiskFull }: StatusDeps): StatusReader {
  const device = createDeviceStatus(clock, reachDevice);
  // Checks the device ahead of the first read.
  settings.watch(({ feed }) => void device.state(feed), ['feed']);
  return {
    async read() {
      const { feed, video, general, ui, sharing, mqtt: broker } = await settings.current();
      const [processor, esphome, sources] = await Promise.all([
        readProcessorState(pool),
        device.state(feed),
        listSourceSummaries(pool),
      ]);
      const storage: ComponentState = isDiskFull() ? 'error' : 'ok';
      const facts = { now: clock.now(), ...processor, mqtt: mqtt.state(), esphome, video, storage };
      return {
        ...deriveStatus(facts),
        mqtt_posts: describeMqttPosts(processor.mqttPosts, broker, clock.now()),
        sources: sources.map((source) => describeSource(source, clock.now())),
        app_name: hubName({ general }),
        timezone: general.timezone,
        doubt_threshold: ui.unknown_confidence_threshold,
        units: unitsIn(general.timezone, general.units),
        time_format: general.time_format,
        sharing_enabled: sharing.enabled,
      };
    },
  };
}

function describeSource(source: SourceSummary, now: number): Status['sources'][number] {
  const { id, name, kind, lastContactAt } = source;
  const state = deriveSourceState(source, now);
  return { id, name, kind, state, last_contact_at: lastContactAt?.toISOString() ?? null };
}

/** Derives the state of all components. */
export function deriveStatus(facts: StatusFacts): DerivedStatus {
  const { heartbeat, isRestartPending, now, esphome, storage } = facts;
  return {
    web: 'ok',
    processor: deriveProcessor(heartbeat, now),
    mqtt: deriveMqtt(facts),
    esphome,
    yolo: deriveLastOk(heartbeat?.lastYoloOkAt, now),
    video: deriveVideo(facts),
    storage,
    processor_last_seen: heartbeat ? new Date(heartbeat.at).toISOString() : null,
    processor_restart_pending: isRestartPending,
  };
}

function deriveProcessor(heartbeat: Heartbeat | undefined, now: number): ComponentState {
  if (!heartbeat) return 'unknown';
  return isFresh(heartbeat.at, now) ? 'ok' : 'error';
}

/** Returns the MQTT state; without a configured broker that of the processor, unless its heartbeat is stale. */
function deriveMqtt({ mqtt, heartbeat, now }: StatusFacts): ComponentState {
  if (mqtt !== 'not_configured') return mqtt;
  if (typeof heartbeat?.mqttConnected !== 'boolean') return 'not_configured';
  if (!isFresh(heartbeat.at, now)) return 'unknown';
  return heartbeat.mqttConnected ? 'ok' : 'error';
}

/** The MQTT intake reports every ten seconds. */
const maxReportAgeMs = 45_000;

/** Describes the MQTT intake, which counts as disconnected without recent reports. */
function describeMqttPosts(
  { isConnected, reportedAt = 0, taken, refused, lastTakenAt }: MqttPosts,
  { accept_posts, broker }: Pick<Settings['mqtt'], 'accept_posts' | 'broker'>,
  now: number,
): Status['mqtt_posts'] {
  const isUsed = accept_posts && broker.trim() !== '';
  const isOk = isConnected && now - reportedAt < maxReportAgeMs;
  const used = isOk ? 'ok' : 'error';
  return {
    state: isUsed ? used : 'not_used',
    taken,
    refused,
    last_taken_at: lastTakenAt === undefined ? null : new Date(lastTakenAt).toISOString(),
  };
}

function deriveVideo({ video, heartbeat, now }: StatusFacts): ComponentState {
  const reported = deriveLastOk(heartbeat?.lastVideoOkAt, now);
  const isConfigured = video.cameras.some(({ enabled = true }) => enabled);
  return reported === 'unknown' && !isConfigured ? 'not_configured' : reported;
}

/** Derives a state from the time of the last success in unix seconds or ISO text; unknown for anything else. */
function deriveLastOk(reported: unknown, now: number): ComponentState {
  if (typeof reported !== 'string' && typeof reported !== 'number') return 'unknown';
  const at = parseQueryTime(String(reported).trim());
  if (at === undefined || at > now + maxAheadMs) return 'unknown';
  return isFresh(at, now) ? 'ok' : 'error';
}

/** The reachability of the feeder's ESPHome device. */
export interface DeviceStatus {
  /** Waits for the device only after a change of the address; otherwise returns the last result. */
  state(feed: Settings['feed']): Promise<ComponentState>;
}

/** Resolves to false when the device does not respond in time. */
export type ReachDevice = (address: string) => Promise<boolean>;

interface Result {
  readonly address: string;
  readonly state: Promise<ComponentState>;
  requestedAt: number;
}

const maxAgeMs = 30_000;
const requestTimeoutMs = 2_000;

/** Creates a status that is cached for half a minute, then refreshed while the stale one is still returned. */
export function createDeviceStatus(clock: Clock, reach: ReachDevice): DeviceStatus {
  let cached: Result | undefined;

  function request(address: string): Result {
    const state = reach(address).then((isReachable): ComponentState => (isReachable ? 'ok' : 'error'));
    return { address, state, requestedAt: clock.now() };
  }

  async function refresh(stale: Result): Promise<void> {
    const next = request(stale.address);
    stale.requestedAt = next.requestedAt;
    await next.state;
    if (cached === stale) cached = next;
  }

  return {
    async state({ source, esphome_url: address }) {
      if (source !== 'esphome') return 'not_used';
      if (!address) return 'not_configured';
      if (cached?.address !== address) cached = request(address);
      else if (clock.now() - cached.requestedAt >= maxAgeMs) void refresh(cached);
      return cached.state;
    },
  };
}

/** Whether a device responds to HTTP within two seconds, with any status. */
export async function reachDevice(address: string): Promise<boolean> {
  try {
    const { url, headers } = toDeviceRequest(address);
    const signal = AbortSignal.timeout(requestTimeoutMs);
    const response = await fetch(url, { headers, signal, redirect: 'manual' });
    await response.body?.cancel();
    return response.status < 500;
  } catch {
    return false;
  }
}

/** Moves user and password of an address, which `fetch` rejects, to the `Authorization` header. */
export function toDeviceRequest(address: string): { url: string; headers: Record<string, string> } {
  const url = new URL(address);
  const headers = basicAuthorization(url);
  url.username = '';
  url.password = '';
  return { url: url.href, headers };
}
