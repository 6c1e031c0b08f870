import { speciesKey } from '@birdhub/domain/species';
import pg from 'pg';
import { speciesProfiles } from '../data-set/species-profiles.js';
import { Latencies } from '../run/latencies.js';
import type { LoadResult } from '../run/load-job.js';
import { drawNewRecording } from '../run/recording-body.js';
import type { IngestJob } from './ingest-job.js';
import { ingestRecordingSql, insertRecordingSql } from './ingest-sql.js';
import { type PreparedRecording, prepareRecording } from './prepare-recording.js';

const preparedPerSecond = 5_000;
type Store = (client: pg.PoolClient, recording: PreparedRecording) => Promise<unknown>;

const storeWithVisits: Store = async (client, { begin, rows, species, spans }) => {
  await client.query(begin);
  await client.query({ name: 'ingest', text: ingestRecordingSql, values: [...rows, species, ...spans] });
  await client.query('COMMIT');
};

/** Stores all detections in one visit, which violates the visit rule but not the constraints of the tables. */
const storeInto =
  (visitId: number): Store =>
  (client, { rows, species }) =>
    client.query({
      name: 'insert',
      text: insertRecordingSql,
      values: [...rows, species, species.map(() => visitId)],
    });

/** Returns the id of the oldest visit, which is far from all measured recordings. */
async function oldestVisitId(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ id: number }>('SELECT min(id)::int AS id FROM species_visit');
  return rows[0]?.id ?? Number.NaN;
}

/** Returns the ids of the species of the data set by their posted names. */
export async function speciesIdsByName(pool: pg.Pool): Promise<Map<string, number>> {
  const names = speciesProfiles.map(([name]) => name);
  const { rows } = await pool.query<{ key: string; species_id: number }>(
    'SELECT key, species_id FROM species_alias WHERE key = ANY ($1)',
    [names.map(speciesKey)],
  );
  const byKey = new Map(rows.map(({ key, species_id }) => [key, species_id]));
  return new Map(names.map((name) => [name, byKey.get(speciesKey(name)) ?? Number.NaN]));
}

/** Stores recordings in a closed loop on each connection, using only pg. */
export async function runBareIngest(job: IngestJob): Promise<LoadResult> {
  const { databaseUrl, connections, sessions, seconds, first, withVisits } = job;
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: sessions,
    options: '-c timezone=UTC -c jit=off',
  });
  const idOf = await speciesIdsByName(pool);
  const store = withVisits ? storeWithVisits : storeInto(await oldestVisitId(pool));
  const draw = (number: number) => prepareRecording(drawNewRecording(number), idOf);
  const prepared = Array.from({ length: seconds * preparedPerSecond }, (_, index) => draw(first + index));
  const latencies = new Latencies();
  let next = first;
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1000;

  const loop = async () => {
    while (performance.now() < endsAt) {
      const recording = prepared[next - first] ?? draw(next);
      next += 1;
      const sentAt = performance.now();
      const client = await pool.connect();
      await store(client, recording).finally(() => client.release());
      latencies.add(performance.now() - sentAt);
    }
  };
  try {
    await Promise.all(Array.from({ length: connections }, loop));
  } finally {
    await pool.end();
  }
  const elapsed = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(cpuBefore);
  const clientCpuSeconds = (user + system) / 1e6;
  const perSecond = latencies.count / elapsed;
  return { ...latencies.percentiles(), perSecond, requests: next - first, bytes: 0, clientCpuSeconds };
}
