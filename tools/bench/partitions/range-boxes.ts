import type pg from 'pg';

/** The schema of the boxes, partitioned by ranges of their detection ids; all other tables are the plain ones. */
export const ranged = 'ranged';

/**
 * Copies the boxes into this number of partitions, each for the same number of ids. Ids are assigned in the order of
 * arrival, so a partition covers a period of time, and lookups by id need no time.
 */
export async function rangeBoxes(client: pg.Client, parts: number): Promise<void> {
  const { rows } = await client.query<{ last: number }>('SELECT max(id)::int AS last FROM public.detection');
  const width = Math.ceil((rows[0]?.last ?? 0) / parts) + 1;
  await client.query(`CREATE SCHEMA ${ranged}`);
  await client.query(
    `CREATE TABLE ${ranged}.detection_track (LIKE public.detection_track INCLUDING ALL,
     FOREIGN KEY (detection_id) REFERENCES public.detection (id) ON DELETE CASCADE) PARTITION BY RANGE (detection_id)`,
  );
  for (let part = 0; part <= parts; part += 1) {
    const end = part === parts ? 'MAXVALUE' : (part + 1) * width;
    await client.query(
      `CREATE TABLE ${ranged}.detection_track_${part} PARTITION OF ${ranged}.detection_track
       FOR VALUES FROM (${part * width}) TO (${end})`,
    );
  }
  await client.query(`INSERT INTO ${ranged}.detection_track SELECT * FROM public.detection_track`);
  await client.query(`VACUUM (ANALYZE) ${ranged}.detection_track`);
}
