import type { Settings } from '@birdhub/domain/settings';
import type { Clock } from '@birdhub/shared/time';
import type { ComponentState } from './status.schema.js';

/** Whether the device that the feeder is driven by can be reached. */
export interface DeviceWatch {
  /** Waits for the device only when it was never asked at this address; else tells what was last found. */
  state(feed: Settings['feed']): Promise<ComponentState>;
}

/** Asks a device at its address; false when it does not answer in time. */
export type ReachDevice = (address: string) => Promise<boolean>;

interface Finding {
  readonly address: string;
  readonly state: Promise<ComponentState>;
  askedAt: number;
}

const trustMs = 30_000;

/** Remembers what was found for half a minute, and then asks again while the old finding is still told. */
export function createDeviceWatch(clock: Clock, reach: ReachDevice): DeviceWatch {
  let found: Finding | undefined;

  function ask(address: string): Finding {
    const state = reach(address).then((isThere): ComponentState => (isThere ? 'ok' : 'error'));
    return { address, state, askedAt: clock.now() };
  }

  async function askAgain(known: Finding): Promise<void> {
    const next = ask(known.address);
    known.askedAt = next.askedAt;
    await next.state;
    if (found === known) found = next;
  }

  return {
    async state({ source, esphome_url: address }) {
      if (source !== 'esphome') return 'not_used';
      if (!address) return 'not_configured';
      if (found?.address !== address) found = ask(address);
      else if (clock.now() - found.askedAt >= trustMs) void askAgain(found);
      return found.state;
    },
  };
}
