import { randomBytes } from 'node:crypto';
import { connect, type MqttClient } from 'mqtt';

/** The retained messages of a program on its availability topic. */
export interface Availability {
  readonly topic: string;
  readonly online: string;
  /** The will, which the broker publishes when the connection is lost. */
  readonly offline: string;
  /** Published before a graceful stop. */
  readonly stopped?: string;
}

/** The MQTT client of a program. Messages during an outage of the broker are lost, as these programs have no queue. */
export class UpstreamPublisher {
  readonly #url: string | undefined;
  readonly #availability: Availability;
  readonly #publishing = new Set<Promise<unknown>>();
  #client: MqttClient | undefined;

  /** Without a URL, nothing is published. */
  constructor(url: string | undefined, availability: Availability) {
    this.#url = url;
    this.#availability = availability;
  }

  async connect(): Promise<void> {
    if (this.#url === undefined) return;
    const { topic, online, offline } = this.#availability;
    const client = connect(this.#url, {
      clientId: `upstream-${randomBytes(4).toString('hex')}`,
      reconnectPeriod: 100,
      will: { topic, payload: Buffer.from(offline), retain: true },
    });
    this.#client = client;
    // The client reconnects automatically.
    client.on('error', () => undefined);
    client.on('connect', () => this.publish(topic, online, true));
    // Continues even if the broker is unreachable, as these programs do.
    await new Promise<void>((resolve) => {
      client.once('connect', () => resolve());
      client.once('close', () => resolve());
    });
  }

  publish(topic: string, payload: string, retain = false): void {
    if (!this.#client?.connected) return;
    const sent = this.#client.publishAsync(topic, payload, { qos: 1, retain }).catch(() => undefined);
    this.#publishing.add(sent);
    void sent.then(() => this.#publishing.delete(sent));
  }

  /** Waits until the broker has received all messages so far. */
  async published(): Promise<void> {
    await Promise.all(this.#publishing);
  }

  /** Disconnects gracefully. */
  async stop(): Promise<void> {
    const { topic, stopped } = this.#availability;
    if (stopped !== undefined) this.publish(topic, stopped, true);
    const client = this.#client;
    // Messages are never acknowledged after the connection is lost.
    const lost = client?.connected && new Promise<void>((resolve) => client.once('close', () => resolve()));
    if (lost) await Promise.race([this.published(), lost]);
    await this.#end(() => undefined);
  }

  /** Drops the connection, so that the broker publishes the will. */
  async crash(): Promise<void> {
    await this.#end((client) => client.stream.destroy());
  }

  async #end(before: (client: MqttClient) => void): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    if (client === undefined) return;
    before(client);
    await client.endAsync(true);
    // Messages in flight when the connection was lost are never acknowledged.
    this.#publishing.clear();
  }
}
