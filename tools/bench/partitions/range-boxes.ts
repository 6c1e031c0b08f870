import type pg from 'pg';

/** The schema that boxes are in, divided by ranges of the numbers of their detections; all else is the plain tables. */
export const ranged = 'ranged';

/**
 * Makes a copy of the boxes in so many parts, each of as many numbers. Numbers are given in the order of arrival, so
 * a part is of some time, and the key stays the number alone: what is looked up by it needs to be told nothing more.
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
