import type { ErrorDetail } from '@birdhub/shared/errors';
import type pg from 'pg';
import { toStorable } from '../plain-text.js';
import type { ReceivedMessage } from './posted-message.js';

/** Reasons for refusing a message. */
export const refusalReasons = ['topic', 'size', 'json', 'fields', 'camera', 'retained', 'internal'] as const;

/** One of {@link refusalReasons}. */
export type RefusalReason = (typeof refusalReasons)[number];

/** Why a message was refused. */
export interface Refusal {
  readonly reason: RefusalReason;
  /** JSON Pointer of the invalid field. */
  readonly field: string | null;
  readonly error: string;
  /** The same by field, for translation. */
  readonly details: readonly ErrorDetail[];
}

/** A refused message. */
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
    INSERT INTO mqtt_refusal (topic, payload, bytes, reason, field, error, details) VALUES ($1, $2, $3, $4, $5, $6, $7)
  )
  DELETE FROM mqtt_refusal WHERE id <= (SELECT id FROM mqtt_refusal ORDER BY id DESC OFFSET ${maxKept - 1} LIMIT 1)`;

const listSql = `
  SELECT id, topic, payload, bytes, reason, field, error, coalesce(details, '[]') AS details, received_at AS "receivedAt"
  FROM mqtt_refusal ORDER BY id DESC LIMIT ${maxKept}`;

/** The latest refused messages, stored for troubleshooting. */
export class RefusedMessages {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /** Stores the start of a message with the error, and deletes the oldest beyond the limit. */
  async add(
    { topic, payload, fullBytes = payload.length }: Pick<ReceivedMessage, 'topic' | 'payload' | 'fullBytes'>,
    { reason, field, error, details }: Refusal,
  ): Promise<void> {
    const values = [
      storable(topic),
      storable(payload.subarray(0, maxExcerptBytes).toString()),
      fullBytes,
      reason,
      field,
      storable(error).slice(0, maxErrorLength),
      JSON.stringify(toStorable(details)),
    ];
    await this.#pool.query({ name: 'add-mqtt-refusal', text: addSql, values });
  }

  async list(): Promise<RefusedMessage[]> {
    return (await this.#pool.query<RefusedMessage>(listSql)).rows;
  }
}

const storable = (text: string) => text.toWellFormed().replaceAll('\0', '\ufffd');
