import { createHash, randomUUID } from 'node:crypto';
import type pg from 'pg';

/** The report of the process that consumes messages. */
export interface IntakeReport {
  readonly isConnected: boolean;
  /** Messages since the last report. */
  readonly taken: number;
  readonly refused: number;
  readonly lastTakenAt: Date | undefined;
}

const reportSql = `
  UPDATE mqtt_intake SET connected = $1, taken = taken + $2, refused = refused + $3,
    last_taken_at = coalesce($4, last_taken_at), reported_at = now()`;

/** The stored state of the intake, and ids for sightings that have neither id nor time. */
export class IntakeState {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /** Stores the state and adds to the counts; deletes deliveries too old to be repeated. */
  async report({ isConnected, taken, refused, lastTakenAt }: IntakeReport): Promise<void> {
    await this.#pool.query(reportSql, [isConnected, taken, refused, lastTakenAt ?? null]);
    await this.#pool.query(`DELETE FROM mqtt_delivery WHERE received_at < now() - interval '1 day'`);
  }

  /** Returns the subscribed topic, possibly of an earlier process. */
  async subscribedTopic(): Promise<string | undefined> {
    const { rows } = await this.#pool.query<{ subscribed: string | null }>(
      'SELECT subscribed FROM mqtt_intake',
    );
    return rows[0]?.subscribed ?? undefined;
  }

  async storeSubscribedTopic(topic: string | undefined): Promise<void> {
    await this.#pool.query('UPDATE mqtt_intake SET subscribed = $1', [topic ?? null]);
  }

  /**
   * Returns an id for a message that has neither id nor time. A redelivered message has the id of its first delivery;
   * an equal message that is published again is another sighting.
   */
  async idOfDelivery(topic: string, payload: Buffer, isRepeated: boolean): Promise<string> {
    const digest = createHash('sha256').update(topic).update('\0').update(payload).digest();
    if (isRepeated) {
      const sql = 'SELECT sighting_id AS id FROM mqtt_delivery WHERE digest = $1';
      const { rows } = await this.#pool.query<{ id: string }>(sql, [digest]);
      if (rows[0]) return rows[0].id;
    }
    const id = `mqtt-${randomUUID()}`;
    await this.#pool.query(
      `INSERT INTO mqtt_delivery (digest, sighting_id) VALUES ($1, $2)
       ON CONFLICT (digest) DO UPDATE SET sighting_id = excluded.sighting_id, received_at = now()`,
      [digest, id],
    );
    return id;
  }
}
