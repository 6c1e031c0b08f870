import { refuse } from '@birdhub/shared/errors';
import {
  type BrokerAddress,
  connectAdmittedBroker,
  describeBrokerError,
  toBrokerAddress,
} from '@birdhub/shared/mqtt';
import type { ServiceGuard } from '@birdhub/shared/outgoing';
import { type Static, Type } from 'typebox';
import { type MqttConnection, MqttUnavailableError } from '../mqtt/mqtt-connection.js';
import { type ChannelKind, type Outcome, oneLine, type Shipment } from './channel.js';
import { admit, attempt } from './channel-http.js';
import { say } from './delivery-failures.js';

/** The options of messages by MQTT. */
export const mqttOptions = Type.Object(
  {
    topic: Type.String({
      default: 'birdhub/notifications',
      minLength: 1,
      maxLength: 500,
      pattern: '^[^#+$\\u0000-\\u001f][^#+\\u0000-\\u001f]*$',
      description:
        'Topic to which messages are published as JSON; pictures are published to `<topic>/picture`',
    }),
    retain: Type.Boolean({ default: false, description: 'Whether the broker retains the last message' }),
    broker: Type.String({
      default: '',
      maxLength: 1_000,
      description:
        'URL of the broker, such as `mqtt://192.168.1.5:1883`; empty for the broker in the settings',
    }),
    username: Type.String({
      default: '',
      maxLength: 200,
      description: 'User name for the password, if one is set',
    }),
    picture: Type.Boolean({ default: true, description: 'Whether to send the picture of the bird' }),
  },
  { additionalProperties: false },
);

type MqttOptions = Static<typeof mqttOptions>;

/** Dependencies for publishing messages by MQTT. */
export interface MqttChannelDeps {
  readonly mqtt: Pick<MqttConnection, 'publish'>;
  readonly guard: Pick<ServiceGuard, 'admit'>;
}

const maxPictureBytes = 1_000_000;
const connectTimeoutMs = 10_000;
const ackTimeoutMs = 5_000;
const defaultPort = 1_883;

interface Publication {
  readonly topic: string;
  readonly payload: string | Buffer;
  readonly retain: boolean;
}

/** Publishes messages as JSON to the broker of the settings or another one. */
export function createMqttChannel({ mqtt, guard }: MqttChannelDeps): ChannelKind<typeof mqttOptions> {
  return {
    options: mqttOptions,
    secrets: ['password'],
    media: ({ picture }) => ({ maxPictureBytes: picture ? maxPictureBytes : 0 }),
    check: ({ broker, username }, { password }) => [
      ...(broker && (!addressOf(broker, '', '') || /\/\/[^/]*@/.test(broker))
        ? [refuse('/options/broker', 'mqtt_host')]
        : []),
      ...(password && !(broker && username) ? [refuse('/options/username', 'own_broker')] : []),
    ],
    addressOf: ({ broker }) => broker.trim().toLowerCase(),
    async send(shipment) {
      const { options, secrets } = shipment;
      const publications = toPublications(shipment);
      if (options.broker)
        return attempt(() =>
          publishAt(
            addressOf(options.broker, options.username, secrets['password'] ?? ''),
            publications,
            guard,
          ),
        );
      try {
        for (const publication of publications) await mqtt.publish(publication);
        return { state: 'sent', failure: null };
      } catch (error) {
        if (!(error instanceof MqttUnavailableError)) throw error;
        return error.mayHaveArrived
          ? { state: 'failed', failure: say('broker_silent') }
          : { state: 'retry', failure: say('broker_away') };
      }
    },
  };
}

function addressOf(broker: string, username: string, password: string): BrokerAddress | undefined {
  return toBrokerAddress({ broker, port: defaultPort, username, password });
}

/** The picture is published first, so that receivers of the message find it. */
function toPublications({ message, options, picture }: Shipment<MqttOptions>): Publication[] {
  const { key, title, body, tag, url, visitId, icon, image, clip = null, tags = [] } = message;
  const { topic, retain } = options;
  const content = { id: key, title, body, tag, url, visit_id: visitId, icon, image, clip, tags };
  return [
    ...(picture ? [{ topic: `${topic}/picture`, payload: picture.content, retain }] : []),
    { topic, payload: JSON.stringify({ ...content, has_picture: picture !== undefined }), retain },
  ];
}

/** Publishes on a separate connection. Without an acknowledgement the message may have arrived. */
async function publishAt(
  address: BrokerAddress | undefined,
  publications: readonly Publication[],
  guard: Pick<ServiceGuard, 'admit'>,
): Promise<Outcome> {
  if (!address) return { state: 'failed', failure: say('broker_address') };
  const admitting = { admit: (host: string, port: number) => admit(guard, host, port) };
  const client = await connectAdmittedBroker(admitting, address, {
    reconnectPeriod: 0,
    connectTimeout: connectTimeoutMs,
  });
  let failure: string | undefined;
  client.on('error', (error) => {
    failure = oneLine(describeBrokerError(error)).slice(0, 200);
  });
  let isPublished = false;
  try {
    await Promise.race([connected(client), closed(client)]);
    for (const { topic, payload, retain } of publications) {
      isPublished = true;
      const timer = setTimeout(() => client.stream.destroy(), ackTimeoutMs);
      await Promise.race([client.publishAsync(topic, payload, { qos: 1, retain }), closed(client)]).finally(
        () => clearTimeout(timer),
      );
    }
    return { state: 'sent', failure: null };
  } catch {
    return {
      state: isPublished ? 'failed' : 'retry',
      failure: say('unreachable', { code: failure ?? 'no response' }),
    };
  } finally {
    client.end(true);
    client.stream.destroy();
  }
}

type Client = Awaited<ReturnType<typeof connectAdmittedBroker>>;

function connected(client: Client): Promise<void> {
  return new Promise((resolve) => {
    if (client.connected) resolve();
    client.once('connect', () => resolve());
  });
}

/** Rejects when the connection fails or ends. */
function closed(client: Client): Promise<never> {
  return new Promise((_resolve, reject) => {
    client.once('close', () => reject(new Error('closed')));
  });
}
