import type pg from 'pg';

/** What the hub has, as its writers count along; null for what is not known. */
export interface HubFacts {
  readonly detections: number;
  readonly videos: number;
  readonly visits: number;
  /** Species that visited; generic ones left out. */
  readonly species: number;
  readonly recordingsBytes: number;
  readonly heartbeatAgeSeconds: number | null;
  /** Up to {@link mostPending}. */
  readonly outboxPending: number;
}

/** As many events are counted; more tell nobody more. */
export const mostPending = 10_000;

/** Sums of maintained counters and two index look-ups; `species_total` has one row a species, however many visits. */
const text = `
  SELECT coalesce(counter.detections, 0) AS detections, coalesce(counter.videos, 0) AS videos,
    coalesce(counter.visits, 0) AS visits, coalesce(counter.bytes, 0) AS "recordingsBytes",
    (SELECT count(*) FROM species_total JOIN species ON species.id = species_id
     WHERE visits > 0 AND NOT generic) AS species,
    (SELECT greatest(extract(epoch FROM now() - updated_at), 0)::float8 FROM processor_heartbeat
     ORDER BY updated_at DESC LIMIT 1) AS "heartbeatAgeSeconds",
    (SELECT count(*) FROM (SELECT FROM outbox LIMIT ${mostPending}) waiting) AS "outboxPending"
  FROM (
    SELECT sum(value) FILTER (WHERE name = 'detections') AS detections,
      sum(value) FILTER (WHERE name = 'videos') AS videos,
      sum(value) FILTER (WHERE name = 'visits') AS visits,
      sum(value) FILTER (WHERE name = 'recordings_bytes') AS bytes
    FROM hub_counter WHERE name IN ('detections', 'videos', 'visits', 'recordings_bytes')
  ) counter`;

/** Reads them in one statement, whose time does not grow with the hub. */
export async function readHubFacts(pool: pg.Pool): Promise<HubFacts> {
  const { rows } = await pool.query<HubFacts>({ name: 'hub-facts', text });
  const [facts] = rows;
  if (!facts) throw new Error('the database answered no row of facts');
  return facts;
}
