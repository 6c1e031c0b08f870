import { dayMs, readZoneClock } from '@birdhub/shared/time';
import type pg from 'pg';
import { readVisitsOverview } from '../../../services/query/src/overview/overview.store.js';
import { readSpeciesSummary } from '../../../services/query/src/species/species.store.js';
import { detailSql } from '../../../services/query/src/videos/video.store.js';
import { fixedDays, lastDate } from '../data-set/scale.js';
import { speciesIdsByName } from '../limits/bare-ingest.js';
import { ingestRecordingSql } from '../limits/ingest-sql.js';
import { prepareRecording } from '../limits/prepare-recording.js';
import { timelineSql } from '../limits/timeline-sql.js';
import { drawNewRecording } from '../run/recording-body.js';
import { monthlyIngestSql, prunedDetailSql, prunedTimelineSql } from './partition-sql.js';

/** Runs a statement; `number` is the number of the run. */
export type Run = (pool: pg.Pool, number: number) => Promise<unknown>;

/** A statement for the plain tables and its variant for those partitioned by month. */
export interface Comparable {
  readonly title: string;
  readonly plain: Run;
  readonly monthly: Run;
}

const day = Date.parse(fixedDays.D3000.date);
const window = { start: day, end: day + dayMs };
const instants = [new Date(window.start), new Date(window.end)];
const now = Date.parse(lastDate);
/** A prime, so that consecutive recordings are far apart. */
const stride = 7_919;

const timeline =
  (name: string, text: string): Run =>
  (pool) =>
    pool.query({ name, text, values: instants });

const overview: Run = (pool) =>
  readVisitsOverview(pool, {
    window,
    zone: 'UTC',
    clock: readZoneClock('UTC', window),
    lastHourFrom: window.end,
  });

const summary =
  (speciesId: number): Run =>
  (pool) => {
    const clock = readZoneClock('UTC', { start: now - 30 * dayMs, end: now + 2 * dayMs });
    return readSpeciesSummary(pool, { speciesId, now, clock, language: 'en' });
  };

interface KnownVideo {
  readonly id: number;
  readonly start: Date;
}

const listVideos = (pool: pg.Pool): Promise<KnownVideo[]> =>
  all(pool, 'SELECT id::int, start_time AS start FROM video WHERE id % 10 = 0 ORDER BY id');

function detail(videos: readonly KnownVideo[], name: string, text: string, hasStart: boolean): Run {
  return (pool, number) => {
    const video = videos[(number * stride) % videos.length];
    return pool.query({ name, text, values: hasStart ? [video?.id, video?.start] : [video?.id] });
  };
}

const ingest =
  (text: string, idOf: ReadonlyMap<string, number>): Run =>
  async (pool, number) => {
    const { begin, rows, species, spans } = prepareRecording(drawNewRecording(number), idOf);
    const client = await pool.connect();
    try {
      await client.query(begin);
      await client.query({ name: 'ingest', text, values: [...rows, species, ...spans] });
      await client.query('COMMIT');
    } finally {
      client.release();
    }
  };

async function all<T extends object>(pool: pg.Pool, sql: string): Promise<T[]> {
  return (await pool.query<T>(sql)).rows;
}

/** Returns the statements for boxes partitioned by id, which are the same as for plain tables. */
export async function listOfBoxes(plain: pg.Pool): Promise<Comparable[]> {
  const read = detail(await listVideos(plain), 'detail', detailSql, false);
  return [{ title: 'recording by number', plain: read, monthly: read }];
}

/** Returns the compared statements: unchanged ones, and lookups by id with an additional time. */
export async function listComparables(plain: pg.Pool): Promise<Comparable[]> {
  const videos = await listVideos(plain);
  const [common] = await all<{ id: number }>(
    plain,
    'SELECT species_id AS id FROM species_total ORDER BY visits DESC LIMIT 1',
  );
  const idOf = await speciesIdsByName(plain);
  const same = (title: string, run: Run): Comparable => ({ title, plain: run, monthly: run });
  const plainDetail = detail(videos, 'detail', detailSql, false);
  const plainTimeline = timeline('timeline', timelineSql);
  return [
    same('timeline D3000', plainTimeline),
    {
      title: 'timeline D3000, its window said of every table',
      plain: plainTimeline,
      monthly: timeline('told', prunedTimelineSql),
    },
    same('recording by number', plainDetail),
    {
      title: 'recording by number and start',
      plain: plainDetail,
      monthly: detail(videos, 'told-detail', prunedDetailSql, true),
    },
    same('overview D3000', overview),
    same('summary of the commonest species', summary(common?.id ?? Number.NaN)),
    {
      title: 'ingest, rows and visits',
      plain: ingest(ingestRecordingSql, idOf),
      monthly: ingest(monthlyIngestSql, idOf),
    },
  ];
}
