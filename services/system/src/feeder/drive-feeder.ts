import { HubError } from '@birdhub/shared/errors';
import type { MqttLink } from '../mqtt/mqtt-link.js';
import { askEsphome } from './ask-esphome.js';
import type { FeederDevice } from './feeder-device.js';

/** Opens and closes feeders. Both resolve to false when the feeder answered that it did not. */
export interface FeederDriver {
  /**
   * Resolves when the device, or the broker for it, has acknowledged.
   * @throws HubError upstream_unavailable or upstream_timeout when it may be open or not
   */
  open(device: FeederDevice): Promise<boolean>;
  /** @throws HubError upstream_unavailable or upstream_timeout when it may be open still */
  close(device: FeederDevice): Promise<boolean>;
}

/** Drives feeders by the hub's MQTT connection, or by HTTP. */
export function createFeederDriver(mqtt: Pick<MqttLink, 'publish'>): FeederDriver {
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
      if (kind === 'esphome_button') return askEsphome(url, 'button', id, 'press');
      return askEsphome(url, 'switch', id, 'turn_on');
    },
    async close(device) {
      if (device.kind === 'mqtt') return publish(device.topic, 'OFF');
      if (device.kind === 'esphome_button') return true;
      return askEsphome(device.url, 'switch', device.id, 'turn_off');
    },
  };
}
