import { randomBytes } from 'node:crypto';
import { connect, type MqttClient } from 'mqtt';

/** What a program says of itself on its topic of availability, retained. */
export interface Availability {
  readonly topic: string;
  readonly online: string;
  /** Said by the broker when the connection is lost. */
  readonly offline: string;
  /** Said before it ends in order. */
  readonly stopped?: string;
}

/** The MQTT client of a program. What it publishes while the broker is away is lost, as these programs have no queue. */
export class UpstreamPublisher {
  readonly #url: string | undefined;
  readonly #availability: Availability;
  readonly #publishing = new Set<Promise<unknown>>();
  #client: MqttClient | undefined;

  /** Without an address, nothing is published. */
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
    // It connects again by itself.
    client.on('error', () => undefined);
    client.on('connect', () => this.publish(topic, online, true));
    // Where there is no broker for now, it starts without.
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

  /** Waits until the broker has every message so far. */
  async published(): Promise<void> {
    await Promise.all(this.#publishing);
  }

  /** Ends in order. */
  async stop(): Promise<void> {
    const { topic, stopped } = this.#availability;
    if (stopped !== undefined) this.publish(topic, stopped, true);
    const client = this.#client;
    // A connection that breaks now acknowledges nothing.
    const lost = client?.connected && new Promise<void>((resolve) => client.once('close', () => resolve()));
    if (lost) await Promise.race([this.published(), lost]);
    await this.#end(() => undefined);
  }

  /** Ends without a word, so that the broker publishes the will. */
  async crash(): Promise<void> {
    await this.#end((client) => client.stream.destroy());
  }

  async #end(before: (client: MqttClient) => void): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    if (client === undefined) return;
    before(client);
    await client.endAsync(true);
    // What was on its way when a connection broke is never acknowledged.
    this.#publishing.clear();
  }
}
