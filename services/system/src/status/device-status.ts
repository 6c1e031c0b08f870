import type { Settings } from '@birdhub/domain/settings';
import type { Clock } from '@birdhub/shared/time';
import type { ComponentState } from './status.schema.js';

/** Whether the ESPHome device of the feeder can be reached. */
export interface DeviceStatus {
  /** Waits for the device only at a new address; else returns the last result. */
  state(feed: Settings['feed']): Promise<ComponentState>;
}

/** Resolves to false when the device does not answer in time. */
export type ReachDevice = (address: string) => Promise<boolean>;

interface Result {
  readonly address: string;
  readonly state: Promise<ComponentState>;
  requestedAt: number;
}

const maxAgeMs = 30_000;
const requestTimeoutMs = 2_000;

/** Caches the result for half a minute; then it is refreshed while the stale one is still returned. */
export function createDeviceStatus(clock: Clock, reach: ReachDevice): DeviceStatus {
  let cached: Result | undefined;

  function request(address: string): Result {
    const state = reach(address).then((isReached): ComponentState => (isReached ? 'ok' : 'error'));
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

/** Returns whether a device answers HTTP within two seconds; a redirect or a request for a password is an answer. */
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

/** Moves user and password of an address, which `fetch` refuses, into the header that they stand for. */
export function toDeviceRequest(address: string): { url: string; headers: Record<string, string> } {
  const url = new URL(address);
  const { username, password } = url;
  if (!username && !password) return { url: url.href, headers: {} };
  url.username = '';
  url.password = '';
  const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
  return { url: url.href, headers: { authorization: `Basic ${credentials.toString('base64')}` } };
}
