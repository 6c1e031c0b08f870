import { aDetection } from '@birdhub/testing';
import type { TestQuery, TestResponse } from './create-test-query.js';
import { speciesIdOf } from './timeline.js';

/** A stored detection; `originalName` is the species that the processor posted, null unless it was corrected. */
export interface ReviewedRow {
  readonly id: number;
  readonly name: string;
  readonly originalName: string | null;
  readonly reviewed: boolean;
}

const rowsSql = `
  SELECT detection.id, species.name, original.name AS "originalName", reviewed FROM detection
  JOIN species ON species.id = species_id LEFT JOIN species original ON original.id = original_species_id
  WHERE video_id = $1 ORDER BY detection.id`;

/** Three great tits of one visit; the first two detections are of one track. */
const detections = [
  aDetection({ trackId: '1' }),
  aDetection({ trackId: '1', startOffset: 3, endOffset: 4 }),
  aDetection({ startOffset: 5, endOffset: 6 }),
];

/** Creates recordings of great tits, an hour apart, to be reviewed. */
export async function reviewGreatTits(query: TestQuery) {
  const [greatTit, coalTit, marshTit] = await Promise.all(
    ['Great Tit', 'Coal Tit', 'Marsh Tit'].map((name) => speciesIdOf(query, name)),
  );
  if (!greatTit || !coalTit || !marshTit) throw new Error('the catalogue has no tits');
  let hours = 0;
  const rows = async (sql: string, values: unknown[] = []) =>
    (await query.database.pool.query(sql, values)).rows;
  const rowsOf = (videoId: number): Promise<ReviewedRow[]> => rows(rowsSql, [videoId]);
  return {
    greatTit,
    coalTit,
    marshTit,
    rowsOf,
    namesOf: async (videoId: number) => (await rowsOf(videoId)).map((row) => row.name),
    /** Posts the next recording and clears its events. */
    async next() {
      hours += 1;
      const start = Date.UTC(2026, 4, 2, hours);
      const { videoId } = await query.post({ start, detections });
      const ids = (await rowsOf(videoId)).map((row) => row.id);
      await rows('TRUNCATE outbox, activity_log');
      return { start, videoId, ids };
    },
    correct: (id: number | undefined, species_id: number, rest = {}): Promise<TestResponse> =>
      query.change('PATCH', `/api/ui/detections/${id}`, { species_id, ...rest }),
    confirm: (id: number | undefined) => query.change('POST', `/api/ui/detections/${id}/confirm`),
    revert: (id: number | undefined) => query.change('POST', `/api/ui/detections/${id}/revert`),
    /** Marks a species as merged into another one. */
    async merge(name: string, into: number): Promise<number> {
      const id = await speciesIdOf(query, name);
      await rows('UPDATE species SET merged_into = $2 WHERE id = $1', [id, into]);
      await rows('UPDATE visit_rule SET tree_revision = tree_revision + 1');
      await query.notify({ kind: 'species' });
      return id;
    },
    publishedEvents: () => rows('SELECT subject, payload FROM outbox ORDER BY id'),
    activity: () => rows('SELECT type, data FROM activity_log ORDER BY id'),
  };
}

/** The result of {@link reviewGreatTits}. */
export type GreatTits = Awaited<ReturnType<typeof reviewGreatTits>>;
