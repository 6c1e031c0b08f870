import type pg from 'pg';
import type { DeadLetter } from '../bus/index.js';

const mostErrorLength = 2_000;

// jsonb stores neither U+0000 nor half of a surrogate pair, which JSON.stringify writes as escapes; a letter must be
// kept whatever it says. The first alternative steps over escaped backslashes.
const escapes = /\\\\|\\u(?:0000|d[89a-f][\da-f]{2})/g;

function toJson(payload: unknown): string {
  const text = JSON.stringify(payload) ?? 'null';
  return text.replace(escapes, (found) => (found === '\\\\' ? found : '\\ufffd'));
}

function toText(error: string): string {
  return error.replaceAll('\u0000', '\ufffd').slice(0, mostErrorLength);
}

/** Keeps an event that was given up where a person sees it; the same letter again replaces the first. */
export async function recordDeadLetter(
  database: Pick<pg.ClientBase, 'query'>,
  { consumer, eventId, subject, payload, error, attempts }: DeadLetter,
): Promise<void> {
  await database.query(
    `INSERT INTO dead_letter (consumer, event_id, subject, payload, error, attempts)
     VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (consumer, event_id) DO UPDATE
       SET payload = excluded.payload, error = excluded.error, attempts = excluded.attempts`,
    [consumer, eventId, subject, toJson(payload), toText(error), attempts],
  );
}
