import type { SettingsReader } from '@birdhub/domain/settings';
import type { Clock } from '@birdhub/shared/time';
import type pg from 'pg';
import type { MqttLink } from '../mqtt/mqtt-link.js';
import { readProcessorState } from '../processor/heartbeat.store.js';
import { deriveStatus } from './derive-status.js';
import { createDeviceWatch } from './device-watch.js';
import { reachDevice } from './reach-device.js';
import type { ComponentState, Status } from './status.schema.js';

/** Where it stands how each part of the hub is. */
export interface StatusBoard {
  read(): Promise<Status>;
}

/** What the board reads from. */
export interface StatusSources {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly settings: Pick<SettingsReader, 'current' | 'watch'>;
  readonly mqtt: Pick<MqttLink, 'state'>;
  /** Whether space is lacking and nothing is left that may be cleared. */
  readonly isDiskFull: () => boolean;
}

/** Takes one statement for each answer, for the processor; the rest is in memory. */
export function openStatus({ pool, clock, settings, mqtt, isDiskFull }: StatusSources): StatusBoard {
  const device = createDeviceWatch(clock, reachDevice);
  // The device is asked before the first person asks.
  settings.watch(({ feed }) => void device.state(feed));
  return {
    async read() {
      const { feed, video, general, ui } = await settings.current();
      const [processor, esphome] = await Promise.all([readProcessorState(pool), device.state(feed)]);
      const storage: ComponentState = isDiskFull() ? 'error' : 'ok';
      const facts = { now: clock.now(), ...processor, mqtt: mqtt.state(), esphome, video, storage };
      return {
        ...deriveStatus(facts),
        app_name: general.app_name || 'Birdhub',
        timezone: general.timezone,
        doubt_threshold: ui.unknown_confidence_threshold,
        units: general.units,
      };
    },
  };
}
