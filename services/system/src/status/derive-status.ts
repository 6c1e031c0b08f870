import type { Settings } from '@birdhub/domain/settings';
import { parseQueryTime } from '@birdhub/shared/time';
import type { MqttState } from '../mqtt/mqtt-link.js';
import type { Heartbeat } from '../processor/heartbeat.store.js';
import { isFresh } from '../processor/is-fresh.js';
import type { ComponentState, Status } from './status.schema.js';

/** The part of the status that follows from facts; the rest are settings. */
export type StateOfParts = Omit<Status, 'timezone' | 'doubt_threshold' | 'app_name' | 'units'>;

/** What the state of the hub is told from. */
export interface StatusFacts {
  readonly now: number;
  readonly heartbeat: Heartbeat | undefined;
  readonly isRestartPending: boolean;
  readonly mqtt: MqttState;
  readonly esphome: ComponentState;
  readonly video: Settings['video'];
  readonly storage: ComponentState;
}

/** A processor's clock may be ahead by as much before what it says of it is nonsense. */
const mostAheadMs = 5 * 60_000;

/** When something last went well, from unix seconds or ISO text; unknown for anything else. */
function deriveLastOk(said: unknown, now: number): ComponentState {
  if (typeof said !== 'string' && typeof said !== 'number') return 'unknown';
  const at = parseQueryTime(String(said).trim());
  if (at === undefined || at > now + mostAheadMs) return 'unknown';
  return isFresh(at, now) ? 'ok' : 'error';
}

function deriveProcessor(heartbeat: Heartbeat | undefined, now: number): ComponentState {
  if (!heartbeat) return 'unknown';
  return isFresh(heartbeat.at, now) ? 'ok' : 'error';
}

/** A hub without a broker asks the processor, whose word is worth nothing once it is silent. */
function deriveMqtt({ mqtt, heartbeat, now }: StatusFacts): ComponentState {
  if (mqtt !== 'not_configured') return mqtt;
  if (typeof heartbeat?.mqttConnected !== 'boolean') return 'not_configured';
  if (!isFresh(heartbeat.at, now)) return 'unknown';
  return heartbeat.mqttConnected ? 'ok' : 'error';
}

function deriveVideo({ video, heartbeat, now }: StatusFacts): ComponentState {
  const said = deriveLastOk(heartbeat?.lastVideoOkAt, now);
  const isConfigured = video.cameras.some(({ enabled = true }) => enabled);
  return said === 'unknown' && !isConfigured ? 'not_configured' : said;
}

/** The state of every part of the hub, as people see it. */
export function deriveStatus(facts: StatusFacts): StateOfParts {
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
