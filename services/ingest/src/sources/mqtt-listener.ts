import { type BrokerAddress, connectAdmittedBroker, describeBrokerError } from '@birdhub/shared/mqtt';
import { RefusedAddressError, type ServiceGuard } from '@birdhub/shared/outgoing';
import type { MqttClient } from 'mqtt';
import { type Sentence, say } from './sentences.js';
import { UpstreamError } from './source-kind.js';

/** The subscribed topics of a broker, and callbacks. */
export interface BrokerTopics {
  readonly address: BrokerAddress;
  /** Checks the address before each connection. */
  readonly guard: Pick<ServiceGuard, 'admit'>;
  readonly topics: readonly string[];
  readonly onMessage: (topic: string, payload: Buffer) => void;
  /** Called whenever the subscription is granted; earlier messages are lost. */
  readonly onSubscribed: () => void;
}

/** MQTT 5 brokers discard larger messages, such as pictures. */
const maxPacketBytes = 1024 * 1024;
/** Reason codes of MQTT 3.1.1 and 5 for an unsupported protocol version. */
const unknownProtocolCodes: readonly unknown[] = [1, 132];

/**
 * Calls `onMessage` for messages of the topics until the signal aborts, by MQTT 5 or, if the broker does not support it,
 * 3.1.1.
 * @throws UpstreamError when the connection fails or ends, RefusedAddressError when the hub must not connect to it
 */
export async function listenToBroker(topics: BrokerTopics, signal: AbortSignal): Promise<void> {
  const lost = await listenOnce(topics, 5, signal);
  const isOlder = unknownProtocolCodes.includes(lost?.code);
  const failure = isOlder ? await listenOnce(topics, 4, signal) : lost;
  if (failure && !signal.aborted) throw new UpstreamError('address', explain(failure));
}

type Failure = Error & { readonly code?: unknown };

/** An end of the connection for which the MQTT client has no error. */
class BrokerError extends Error {
  override readonly name = 'BrokerError';
  readonly code: 'closed' | 'subscription';

  constructor(code: BrokerError['code']) {
    super(`broker: ${code}`);
    this.code = code;
  }
}

/** Sentences by the codes of errors: of the network, of the MQTT protocols 3.1.1 and 5, and of {@link BrokerError}. */
const reasons: Readonly<Record<string, Sentence>> = {
  ECONNREFUSED: say('broker_no_listener'),
  ENOTFOUND: say('broker_no_host'),
  EAI_AGAIN: say('broker_no_host'),
  ETIMEDOUT: say('broker_silent'),
  EHOSTUNREACH: say('broker_silent'),
  ENETUNREACH: say('broker_silent'),
  'connack timeout': say('broker_silent'),
  ECONNRESET: say('broker_closed'),
  closed: say('broker_closed'),
  subscription: say('broker_subscription'),
  4: say('broker_login'),
  5: say('broker_login'),
  134: say('broker_login'),
  135: say('broker_login'),
};

function explain(failure: Failure): Sentence {
  return (
    reasons[String(failure.code ?? failure.message)] ??
    say('broker', { reason: describeBrokerError(failure) })
  );
}

/** Returns why the connection ended; undefined when the signal aborted. */
async function listenOnce(
  topics: BrokerTopics,
  protocolVersion: 4 | 5,
  signal: AbortSignal,
): Promise<Failure | undefined> {
  if (signal.aborted) return undefined;
  const limit = protocolVersion === 5 ? { properties: { maximumPacketSize: maxPacketBytes } } : {};
  let client: MqttClient;
  try {
    client = await connectAdmittedBroker(topics.guard, topics.address, {
      clean: true,
      protocolVersion,
      ...limit,
    });
  } catch (error) {
    if (error instanceof RefusedAddressError || !(error instanceof Error)) throw error;
    return error;
  }
  client.on('message', topics.onMessage);
  try {
    return await untilLost(client, topics, signal);
  } finally {
    client.end(true);
    client.stream?.destroy();
  }
}

/** Subscribes on connection, and waits until the connection is lost or the signal aborts. */
function untilLost(
  client: MqttClient,
  { topics, onSubscribed }: BrokerTopics,
  signal: AbortSignal,
): Promise<Failure | undefined> {
  return new Promise((resolve) => {
    let failure: Error | undefined;
    const end = () => resolve(undefined);
    signal.addEventListener('abort', end, { once: true });
    client.on('error', (error) => {
      failure = error;
    });
    client.on('close', () => {
      signal.removeEventListener('abort', end);
      resolve(failure ?? new BrokerError('closed'));
    });
    client.on('connect', () => {
      client.subscribeAsync([...topics], { qos: 0 }).then(
        () => onSubscribed(),
        // The error of a rejected subscription has the packet that rejected it.
        (error: Error) => resolve('packet' in error ? new BrokerError('subscription') : error),
      );
    });
    if (signal.aborted) end();
  });
}
