import type pg from 'pg';

/** Why a message is refused. */
export const refusalReasons = ['topic', 'size', 'json', 'fields', 'camera', 'retained', 'internal'] as const;

/** One of {@link refusalReasons}. */
export type RefusalReason = (typeof refusalReasons)[number];

/** What is wrong with a message. */
export interface Refusal {
  readonly reason: RefusalReason;
  /** JSON Pointer of the field that is wrong. */
  readonly field: string | null;
  readonly error: string;
}

/** A message that was refused. */
export interface RefusedMessage extends Refusal {
  readonly id: number;
  readonly topic: string;
  readonly payload: string;
  readonly bytes: number;
  readonly receivedAt: Date;
}

const maxKept = 100;
const maxExcerptBytes = 2_048;
const maxErrorLength = 1_000;

const addSql = `
  WITH added AS (
    INSERT INTO mqtt_refusal (topic, payload, bytes, reason, field, error) VALUES ($1, $2, $3, $4, $5, $6)
  )
  DELETE FROM mqtt_refusal WHERE id <= (SELECT id FROM mqtt_refusal ORDER BY id DESC OFFSET ${maxKept - 1} LIMIT 1)`;

const listSql = `
  SELECT id, topic, payload, bytes, reason, field, error, received_at AS "receivedAt"
  FROM mqtt_refusal ORDER BY id DESC LIMIT ${maxKept}`;

/** The last messages that were refused, kept for people to read. */
export class RefusedMessages {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /** Keeps the beginning of a message and what is wrong with it, in place of the oldest. */
  async add(topic: string, payload: Buffer, { reason, field, error }: Refusal): Promise<void> {
    const values = [
      storable(topic),
      storable(payload.subarray(0, maxExcerptBytes).toString()),
      payload.length,
      reason,
      field,
      storable(error).slice(0, maxErrorLength),
    ];
    await this.#pool.query({ name: 'add-mqtt-refusal', text: addSql, values });
  }

  async list(): Promise<RefusedMessage[]> {
    return (await this.#pool.query<RefusedMessage>(listSql)).rows;
  }
}

const storable = (text: string) => text.toWellFormed().replaceAll('\0', '\ufffd');
