import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { MqttConnection, MqttMessage } from '../mqtt/mqtt-connection.js';

/** The messages that the broker retains for Home Assistant; messages are only published when they have changed. */
export class PublishedMessages {
  readonly #mqtt: Pick<MqttConnection, 'publish'>;
  readonly #pool: pg.Pool;
  /** Contents by topic. */
  readonly #published = new Map<string, string>();

  constructor({ mqtt, pool }: { readonly mqtt: Pick<MqttConnection, 'publish'>; readonly pool: pg.Pool }) {
    this.#mqtt = mqtt;
    this.#pool = pool;
  }

  /** Publishes the messages that differ from those published before. */
  async publish(messages: readonly MqttMessage[]): Promise<void> {
    for (const message of messages) {
      const content = contentOf(message);
      if (this.#published.get(message.topic) === content) continue;
      await this.#mqtt.publish(message);
      this.#published.set(message.topic, content);
    }
  }

  /** Publishes the messages of cameras and sources, and removes those of earlier ones, also of earlier processes. */
  async publishOrigins(messages: readonly MqttMessage[]): Promise<void> {
    const stored = await listTopics(this.#pool);
    const current = new Set(messages.map(({ topic }) => topic));
    const added = [...current].filter((topic) => !stored.includes(topic));
    await addTopics(this.#pool, added);
    await this.publish(messages);
    for (const topic of stored.filter((old) => !current.has(old))) {
      await this.#mqtt.publish({ topic, payload: '', retain: true });
      this.#published.delete(topic);
      await removeTopic(this.#pool, topic);
    }
  }

  /** Lets all messages be published again, as the broker or Home Assistant may have lost them. */
  forget(): void {
    this.#published.clear();
  }
}

function contentOf({ payload }: MqttMessage): string {
  return typeof payload === 'string' ? payload : createHash('sha256').update(payload).digest('hex');
}

async function listTopics(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ topic: string }>({
    name: 'home-assistant-topics',
    text: 'SELECT topic FROM home_assistant_topic',
  });
  return rows.map(({ topic }) => topic);
}

/** Stores topics before they are published, so that they can be removed after a crash. */
async function addTopics(pool: pg.Pool, topics: readonly string[]): Promise<void> {
  if (!topics.length) return;
  await pool.query('INSERT INTO home_assistant_topic SELECT unnest($1::text[]) ON CONFLICT DO NOTHING', [
    topics,
  ]);
}

async function removeTopic(pool: pg.Pool, topic: string): Promise<void> {
  await pool.query('DELETE FROM home_assistant_topic WHERE topic = $1', [topic]);
}
