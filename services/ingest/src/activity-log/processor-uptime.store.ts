import type pg from 'pg';

/**
 * Lengthens the stretch in which processors were heard from, at most every ten seconds as heartbeats may come ten times
 * a second, or begins a new one after five minutes of silence.
 */
const text = `
  WITH newest AS (
    SELECT started_at, ended_at, ended_at >= now() - interval '5 minutes' AS lasts
    FROM processor_uptime ORDER BY started_at DESC LIMIT 1
  ), lengthened AS (
    UPDATE processor_uptime SET ended_at = greatest(processor_uptime.ended_at, now()) FROM newest
    WHERE processor_uptime.started_at = newest.started_at AND lasts
      AND newest.ended_at < now() - interval '10 seconds'
  )
  INSERT INTO processor_uptime (started_at, ended_at)
  SELECT now(), now() WHERE NOT EXISTS (SELECT FROM newest WHERE lasts) ON CONFLICT DO NOTHING`;

/** Takes down that a processor was heard from just now. */
export async function noteUptime(client: pg.ClientBase): Promise<void> {
  await client.query({ name: 'note-uptime', text });
}
