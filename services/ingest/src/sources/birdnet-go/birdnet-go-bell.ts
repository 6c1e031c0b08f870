import { type BrokerAddress, connectBroker, describeBrokerError } from '@birdhub/shared/mqtt';
import type { MqttClient } from 'mqtt';
import { UpstreamError } from '../source-kind.js';

/** Brokers of MQTT 5 discard larger messages. */
const maxPacketBytes = 1024 * 1024;
/** Codes of MQTT 3.1.1 and 5 for a protocol that the broker does not speak. */
const unknownProtocolCodes: readonly unknown[] = [1, 132];

/**
 * Calls `bell` for each message on the topic of a BirdNET-Go, until the signal aborts.
 * @throws UpstreamError when the connection fails or ends
 */
export async function listenToTopic(
  address: BrokerAddress,
  topic: string,
  bell: () => void,
  signal: AbortSignal,
): Promise<void> {
  const lost = await listenOnce(address, topic, 5, bell, signal);
  const isOlder = unknownProtocolCodes.includes(lost?.code);
  const failure = isOlder ? await listenOnce(address, topic, 4, bell, signal) : lost;
  if (failure && !signal.aborted)
    throw new UpstreamError('address', `The broker: ${describeBrokerError(failure)}.`);
}

/** Returns why the connection ended; undefined when the signal aborted. */
async function listenOnce(
  address: BrokerAddress,
  topic: string,
  protocolVersion: 4 | 5,
  bell: () => void,
  signal: AbortSignal,
): Promise<(Error & { code?: unknown }) | undefined> {
  if (signal.aborted) return undefined;
  const limit = protocolVersion === 5 ? { properties: { maximumPacketSize: maxPacketBytes } } : {};
  const client = await connectBroker(address, { clean: true, protocolVersion, ...limit });
  client.on('message', bell);
  try {
    return await untilLost(client, topic, bell, signal);
  } finally {
    client.end(true);
    client.stream?.destroy();
  }
}

function untilLost(
  client: MqttClient,
  topic: string,
  bell: () => void,
  signal: AbortSignal,
): Promise<Error | undefined> {
  return new Promise((resolve) => {
    let failure: Error | undefined;
    const end = () => resolve(undefined);
    signal.addEventListener('abort', end, { once: true });
    client.on('error', (error) => {
      failure = error;
    });
    client.on('close', () => {
      signal.removeEventListener('abort', end);
      resolve(failure ?? new Error('the connection was closed'));
    });
    client.on('connect', () => {
      client.subscribeAsync(topic, { qos: 0 }).then(
        (granted) => {
          if (granted.some(({ qos }) => qos >= 128)) resolve(new Error('it refuses the subscription'));
          // What was published while nobody listened is gone.
          else bell();
        },
        (error: Error) => resolve(error),
      );
    });
    if (signal.aborted) end();
  });
}
