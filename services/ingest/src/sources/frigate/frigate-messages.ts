import type { BrokerAddress } from '@birdhub/shared/mqtt';
import type { ServiceGuard } from '@birdhub/shared/outgoing';
import { listenToBroker } from '../mqtt-listener.js';

/** Options of the subscription to a Frigate's MQTT messages. */
export interface ListenOptions {
  readonly address: BrokerAddress;
  readonly guard: Pick<ServiceGuard, 'admit'>;
  /** `mqtt.topic_prefix` of Frigate. */
  readonly topicPrefix: string;
  /** Whether objects of a label are wanted. */
  readonly isWanted: (label: string) => boolean;
  /** Called for each wanted object whose tracking has ended. */
  readonly onEnded: (id: string) => void;
}

const topics = ['events', 'reviews', 'tracked_object_update', 'available'];

/**
 * Calls `notify` on messages about wanted objects, review segments and the availability of Frigate, until the signal
 * aborts.
 * @throws UpstreamError when the connection fails or ends
 */
export function listenToFrigate(
  { address, guard, topicPrefix, isWanted, onEnded }: ListenOptions,
  notify: () => void,
  signal: AbortSignal,
): Promise<void> {
  const changeTopics = topics.slice(0, 2).map((name) => `${topicPrefix}/${name}`);
  const onMessage = (topic: string, payload: Buffer) => {
    const message = changeTopics.includes(topic) ? readMessage(payload) : undefined;
    if (message) {
      // Updates are frequent and do not affect stored data.
      if (message.type === 'update' || (message.label !== undefined && !isWanted(message.label))) return;
      if (message.isEndOfObject) onEnded(message.id);
    }
    notify();
  };
  const subscribed = topics.map((name) => `${topicPrefix}/${name}`);
  return listenToBroker({ address, guard, topics: subscribed, onMessage, onSubscribed: notify }, signal);
}

interface ChangeMessage {
  readonly type: unknown;
  readonly id: string;
  /** Undefined for a review segment. */
  readonly label: string | undefined;
  /** Whether the tracking of a true positive has ended. */
  readonly isEndOfObject: boolean;
}

/** Parses a message of the topics `events` and `reviews`; undefined for others. */
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
