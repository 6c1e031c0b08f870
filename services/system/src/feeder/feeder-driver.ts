import type { Settings } from '@birdhub/domain/settings';
import { errorCode, HubError } from '@birdhub/shared/errors';
import { type MqttConnection, MqttUnavailableError } from '../mqtt/mqtt-connection.js';
import { toDeviceRequest } from '../status/status.js';

/** A feeder and its address. */
export type FeederDevice =
  | { readonly kind: 'mqtt'; readonly topic: string }
  | { readonly kind: 'esphome_switch' | 'esphome_button'; readonly url: string; readonly id: string };

/** Opens and closes feeders; both resolve to false when the feeder reports a failure. */
export interface FeederDriver {
  /**
   * Resolves when the device or its broker has acknowledged.
   * @throws HubError upstream_unavailable or upstream_timeout when the state is unknown; see {@link mayHaveOpened}
   */
  open(device: FeederDevice): Promise<boolean>;
  /** @throws HubError upstream_unavailable or upstream_timeout when it may still be open */
  close(device: FeederDevice): Promise<boolean>;
}

const esphomeTimeoutMs = 5_000;

/** Returns the feeder of the settings; undefined when it is not fully configured. */
export function findFeeder(feed: Settings['feed']): FeederDevice | undefined {
  const topic = feed.mqtt_topic.trim();
  const id = feed.esphome_switch_id.trim();
  if (feed.source === 'mqtt' && topic) return { kind: 'mqtt', topic };
  if (feed.source !== 'esphome' || !URL.canParse(feed.esphome_url) || !id) return undefined;
  return { kind: `esphome_${feed.esphome_type}`, url: feed.esphome_url, id };
}

/** Returns a feeder without user and password of its address, to be stored. */
export function withoutLogin(device: FeederDevice): FeederDevice {
  return device.kind === 'mqtt' ? device : { ...device, url: toDeviceRequest(device.url).url };
}

/** Returns a stored feeder with the user and password of the settings, if they are for the same address. */
export function withLogin(device: FeederDevice, { esphome_url: url }: Settings['feed']): FeederDevice {
  const isSameAddress =
    device.kind !== 'mqtt' && URL.canParse(url) && toDeviceRequest(url).url === device.url;
  return isSameAddress ? { ...device, url } : device;
}

/** Whether the feeder stays open until it is closed; a button dispenses a single portion. */
export function staysOpen({ kind }: FeederDevice): boolean {
  return kind !== 'esphome_button';
}

/** Errors of requests that did not reach the device. */
const notReachedCodes = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'];

/** Whether a feeder may have opened although {@link FeederDriver.open} failed with this error. */
export function mayHaveOpened({ cause }: HubError): boolean {
  if (cause instanceof MqttUnavailableError) return cause.mayHaveArrived;
  const code = cause instanceof Error ? errorCode(cause.cause) : undefined;
  return code === undefined || !notReachedCodes.includes(code);
}

/** Creates a driver for feeders, by the hub's MQTT connection or HTTP. */
export function createFeederDriver(mqtt: Pick<MqttConnection, 'publish'>): FeederDriver {
  async function publish(topic: string, payload: 'ON' | 'OFF'): Promise<boolean> {
    try {
      await mqtt.publish({ topic, payload });
      return true;
    } catch (cause) {
      throw new HubError('upstream_unavailable', { message: 'The MQTT broker is not reachable.', cause });
    }
  }

  return {
    open(device) {
      if (device.kind === 'mqtt') return publish(device.topic, 'ON');
      const { kind, url, id } = device;
      if (kind === 'esphome_button') return postToEsphome(url, 'button', id, 'press');
      return postToEsphome(url, 'switch', id, 'turn_on');
    },
    async close(device) {
      if (device.kind === 'mqtt') return publish(device.topic, 'OFF');
      if (device.kind === 'esphome_button') return true;
      return postToEsphome(device.url, 'switch', device.id, 'turn_off');
    },
  };
}

/**
 * Posts to the web server of an ESPHome device (`/switch/<id>/turn_on` and the like). Returns false when it reports a
 * failure.
 * @throws HubError upstream_unavailable or upstream_timeout when the outcome is unknown
 */
async function postToEsphome(address: string, domain: string, id: string, action: string): Promise<boolean> {
  const target = `${address.replace(/\/+$/, '')}/${domain}/${encodeURIComponent(id)}/${action}`;
  const signal = AbortSignal.timeout(esphomeTimeoutMs);
  let response: Response;
  try {
    const { url, headers } = toDeviceRequest(target);
    response = await fetch(url, { method: 'POST', headers, signal, redirect: 'manual' });
    await response.body?.cancel();
  } catch (cause) {
    if (signal.aborted)
      throw new HubError('upstream_timeout', { message: 'The feeder did not respond in time.', cause });
    throw new HubError('upstream_unavailable', { message: 'The feeder is not reachable.', cause });
  }
  if (response.status < 500) return response.ok;
  throw new HubError('upstream_unavailable', { message: `The feeder responded with ${response.status}.` });
}
