import { deflateRawSync } from 'node:zlib';
import type pg from 'pg';
import type { ResultRow } from '../report/result-row.js';
import { besides } from './besides.js';

const most = 10_000;

/**
 * What boxes take as text, and deflated one by one: PostgreSQL leaves rows below 2 kB as they are, whatever its
 * tables are told, and most of these are.
 */
export async function compareBoxes(client: pg.Client): Promise<ResultRow> {
  const { rows } = await client.query<{ frames: string }>(
    'SELECT frames::text FROM public.detection_track LIMIT $1',
    [most],
  );
  const texts = rows.map(({ frames }) => Buffer.from(frames));
  const megabytes = (all: readonly Buffer[]) => all.reduce((sum, { length }) => sum + length, 0) / 1e6;
  const deflated = megabytes(texts.map((text) => deflateRawSync(text)));
  return besides(`boxes of ${texts.length} detections, each deflated`, 'MB', megabytes(texts), deflated);
}
