import { inTransaction, isTaken, type PrismaClient } from '@birdhub/shared/db';
import { HubError, refused } from '@birdhub/shared/errors';
import type pg from 'pg';
import { toStoredImageUrl } from '../wire.schema.js';

const listSql = `
  SELECT coalesce(json_agg(food ORDER BY lower(name), id), '[]')::text AS body FROM (
    SELECT id, name, EXISTS (SELECT FROM food_period WHERE food_id = id AND ended_at IS NULL) AS active,
      description, image_url
    FROM bird_food
  ) food`;

/** Returns the JSON of all foods, sorted by name. */
export async function listFoods(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query<{ body: string }>({ name: 'foods', text: listSql });
  return rows[0]?.body ?? '[]';
}

/** A food to be added. */
export interface NewFood {
  readonly name: string;
  readonly active: boolean;
  readonly description?: string | null;
  readonly image_url?: string | null;
}

/** Adds a food; returns undefined when the name is taken. */
export async function addFood(prisma: PrismaClient, food: NewFood): Promise<number | undefined> {
  const { name, active, description = null, image_url } = food;
  const imageUrl = image_url ? toStoredImageUrl(image_url) : null;
  const foodPeriods = { create: active ? [{ startedAt: new Date() }] : [] };
  try {
    const data = { name, description, imageUrl, foodPeriods };
    return (await prisma.birdFood.create({ data, select: { id: true } })).id;
  } catch (error) {
    if (isTaken(error)) return undefined;
    throw error;
  }
}

/** A clock that was set back must not end a period before its start. */
const endSql = `
  UPDATE food_period SET ended_at = greatest(clock_timestamp(), started_at)
  WHERE food_id = $1 AND ended_at IS NULL`;

/** A food that is offered again within the millisecond of its end continues its period. */
const beginSql = `
  INSERT INTO food_period (food_id, started_at) VALUES ($1, clock_timestamp())
  ON CONFLICT (food_id, started_at) DO UPDATE SET ended_at = NULL`;

/**
 * Toggles whether a food is offered; concurrent calls are serialised. Returns whether it is offered now.
 * @throws HubError food_not_found
 */
export function toggleFood(pool: pg.Pool, id: number): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const found = await client.query('SELECT FROM bird_food WHERE id = $1::bigint FOR NO KEY UPDATE', [id]);
    if (!found.rowCount) throw new HubError('food_not_found');
    const { rowCount } = await client.query(endSql, [id]);
    if (rowCount) return false;
    await client.query(beginSql, [id]);
    return true;
  });
}

const lastSql = `
  SELECT to_json(updated_at) #>> '{}' AS at FROM activity_log WHERE type = 'feed_dispense'
  ORDER BY updated_at DESC LIMIT 1`;

/** Returns when the feeder last gave a portion, RFC 3339; null when it never did. */
export async function findLastDispense(pool: pg.Pool): Promise<string | null> {
  const { rows } = await pool.query<{ at: string }>({ name: 'last-dispense', text: lastSql });
  return rows[0]?.at ?? null;
}

const maxNameLength = 100;
const visible = /[^\s\p{Cc}\p{Cf}]/u;
const control = /\p{Cc}/u;

/** Normalises the name of a food: trimmed, with single spaces. @throws HubError invalid_request */
export function toFoodName(input: string): string {
  const name = input.trim().replace(/ {2,}/g, ' ').normalize('NFC');
  if ([...name].length > maxNameLength) throw refused('/name', 'too_long', { limit: maxNameLength });
  if (!visible.test(name)) throw refused('/name', 'required');
  if (control.test(name) || !name.isWellFormed()) throw refused('/name', 'plain_name');
  return name;
}
