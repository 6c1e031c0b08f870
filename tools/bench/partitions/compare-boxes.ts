import { deflateRawSync } from 'node:zlib';
import type pg from 'pg';
import type { ResultRow } from '../report/result-row.js';
import { compareWithPlain } from './compare-with-plain.js';

const maxRows = 10_000;

/**
 * Compares the size of boxes as text and individually deflated. PostgreSQL does not compress rows below 2 kB, as most of
 * these are, regardless of the settings of the table.
 */
export async function compareBoxes(client: pg.Client): Promise<ResultRow> {
  const { rows } = await client.query<{ frames: string }>(
    'SELECT frames::text FROM public.detection_track LIMIT $1',
    [maxRows],
  );
  const texts = rows.map(({ frames }) => Buffer.from(frames));
  const megabytes = (all: readonly Buffer[]) => all.reduce((sum, { length }) => sum + length, 0) / 1e6;
  const deflated = megabytes(texts.map((text) => deflateRawSync(text)));
  return compareWithPlain(
    `boxes of ${texts.length} detections, each deflated`,
    'MB',
    megabytes(texts),
    deflated,
  );
}
