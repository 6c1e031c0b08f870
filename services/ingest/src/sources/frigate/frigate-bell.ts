import { type BrokerAddress, connectBroker, describeBrokerError } from '@birdhub/shared/mqtt';
import type { MqttClient } from 'mqtt';
import { UpstreamError } from '../source-kind.js';

/** What is heard at the broker of a Frigate. */
export interface BellOptions {
  readonly address: BrokerAddress;
  /** `mqtt.topic_prefix` of Frigate. */
  readonly topicPrefix: string;
  /** Whether objects of a label are wanted. */
  readonly isWanted: (label: string) => boolean;
  /** Called for each wanted object whose tracking has ended. */
  readonly onEnded: (id: string) => void;
}

/** Brokers of MQTT 5 discard larger messages, such as pictures. */
const maxPacketBytes = 1024 * 1024;

/** Codes of MQTT 3.1.1 and 5 for a protocol that the broker does not speak. */
const unknownProtocolCodes: readonly unknown[] = [1, 132];
const topics = ['events', 'reviews', 'tracked_object_update', 'available'];

/**
 * Calls `bell` when Frigate speaks of a wanted object, of a review segment or of itself, until the signal aborts.
 * @throws UpstreamError when the connection fails or ends
 */
export async function listenToFrigate(
  options: BellOptions,
  bell: () => void,
  signal: AbortSignal,
): Promise<void> {
  const lost = await listenOnce(options, 5, bell, signal);
  const older = unknownProtocolCodes.includes(lost?.code) ? await listenOnce(options, 4, bell, signal) : lost;
  if (!signal.aborted && older)
    throw new UpstreamError('address', `The broker of Frigate: ${describeBrokerError(older)}.`);
}

/** Returns why the connection has ended; undefined when the signal has aborted. */
async function listenOnce(
  { address, topicPrefix, isWanted, onEnded }: BellOptions,
  protocolVersion: 4 | 5,
  bell: () => void,
  signal: AbortSignal,
): Promise<(Error & { code?: unknown }) | undefined> {
  if (signal.aborted) return undefined;
  const limit = protocolVersion === 5 ? { properties: { maximumPacketSize: maxPacketBytes } } : {};
  const client = await connectBroker(address, { clean: true, protocolVersion, ...limit });
  client.on('message', (topic, payload) => {
    const message =
      topics.slice(0, 2).some((name) => topic === `${topicPrefix}/${name}`) && readMessage(payload);
    if (message) {
      // Updates come every few seconds, and change nothing that is stored.
      if (message.type === 'update' || (message.label !== undefined && !isWanted(message.label))) return;
      if (message.isEndOfObject) onEnded(message.id);
    }
    bell();
  });
  try {
    return await untilLost(client, topicPrefix, signal);
  } finally {
    client.end(true);
    client.stream?.destroy();
  }
}

/** Subscribes whenever it is connected, and waits until the connection is lost or the signal aborts. */
function untilLost(client: MqttClient, topicPrefix: string, signal: AbortSignal): Promise<Error | undefined> {
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
      const wanted = topics.map((topic) => `${topicPrefix}/${topic}`);
      client.subscribeAsync(wanted, { qos: 0 }).then(
        (granted) => {
          if (granted.some(({ qos }) => qos >= 128)) resolve(new Error('it refuses the subscription'));
        },
        (error: Error) => resolve(error),
      );
    });
    if (signal.aborted) end();
  });
}

interface ChangeMessage {
  readonly type: unknown;
  readonly id: string;
  /** Undefined for a review segment. */
  readonly label: string | undefined;
  /** Whether an object that Frigate takes for a true one is tracked no more. */
  readonly isEndOfObject: boolean;
}

/** Reads a message of the topics `events` and `reviews`; undefined for what is none. */
function readMessage(payload: Buffer): ChangeMessage | undefined {
  try {
    const { type, after } = JSON.parse(payload.toString()) as {
      readonly type?: unknown;
      readonly after?: { readonly id?: unknown; readonly label?: unknown; readonly false_positive?: unknown };
    };
    const { id, label: given, false_positive: isFalse } = after ?? {};
    const label = typeof given === 'string' ? given : undefined;
    if (typeof id !== 'string') return undefined;
    return { type, id, label, isEndOfObject: type === 'end' && label !== undefined && isFalse !== true };
  } catch {
    return undefined;
  }
}
