import type pg from 'pg';
import { longestLine, showText } from './show-line.js';

/** One character more than is shown, so that a cut can be seen. */
const text = `
  SELECT left(line #>> '{}', ${longestLine + 1}) AS line FROM (
    SELECT id, updated_at, data -> 'lines' AS lines FROM processor_activity
    WHERE type = 'log' ORDER BY updated_at DESC, id DESC LIMIT $1
  ) row, jsonb_array_elements(CASE jsonb_typeof(lines) WHEN 'array' THEN lines ELSE '[]' END)
    WITH ORDINALITY posted (line, number)
  ORDER BY updated_at DESC, id DESC, number DESC LIMIT $1`;

/** The last lines that processors posted to the activity log, oldest first. */
export async function readPostedLines(pool: pg.Pool, lines: number): Promise<string[]> {
  const { rows } = await pool.query<{ line: string | null }>({
    name: 'posted-log-lines',
    text,
    values: [lines],
  });
  return rows.map(({ line }) => showText(line ?? 'null')).reverse();
}
