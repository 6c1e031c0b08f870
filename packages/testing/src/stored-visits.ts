import type { RuleDetection } from '@birdhub/domain/visits';
import { msSql } from '@birdhub/shared/time';
import type pg from 'pg';
import { type ReferenceVisit, referenceVisits } from './reference-rule.js';
import { readFiles } from './stored-files.js';

/** All stored data about visits, for a comparison with the rule. */
export interface StoredState {
  readonly visits: ReferenceVisit[];
  readonly rollups: string[];
  readonly counters: Record<string, number>;
}

async function all<T extends object>(pool: pg.Pool, sql: string): Promise<T[]> {
  return (await pool.query<T>(sql)).rows;
}

/** Reads visits, rollups and counters from the database. */
export async function readStoredState(pool: pg.Pool): Promise<StoredState> {
  const visits = await all<ReferenceVisit>(
    pool,
    `SELECT species_id AS "speciesId", ${msSql('start_time')} AS start, ${msSql('end_time')} AS "end",
       max_simultaneous AS "maxSimultaneous", video_count AS "videoDetections",
       (SELECT coalesce(json_agg(id ORDER BY id), '[]') FROM detection d
        WHERE d.visit_id = visit.id AND d.species_id = visit.species_id) AS "detectionIds",
       (SELECT coalesce(json_agg(id ORDER BY id), '[]') FROM detection d
        WHERE d.visit_id = visit.id AND d.species_id <> visit.species_id) AS "attachedDetectionIds"
     FROM species_visit visit ORDER BY start_time, end_time, species_id`,
  );
  const rollups = await all<object>(
    pool,
    `SELECT day::text, species_id, visits, individuals, video_visits, detections, seconds::float8
     FROM visit_day
     UNION ALL SELECT 'month ' || lpad(year::text, 4, '0') || '-' || lpad(month::text, 2, '0'), species_id, visits,
       individuals, video_visits, 0, 0 FROM visit_month
     UNION ALL SELECT 'ever', species_id, visits, individuals, 0, 0, 0 FROM species_total
     ORDER BY 1, 2`,
  );
  const counters = await all<{ name: string; value: number }>(
    pool,
    'SELECT name, sum(value)::bigint AS value FROM hub_counter GROUP BY name HAVING sum(value) <> 0',
  );
  return {
    visits,
    rollups: rollups.map((row) => JSON.stringify(row)),
    counters: Object.fromEntries(counters.map(({ name, value }) => [name, value])),
  };
}

type OfSpecies = RuleDetection & { readonly speciesId: number };

/** Splits detections at silences longer than the gap, across which no detections of any species affect each other. */
function splitAtSilences(detections: readonly OfSpecies[], gapMs: number): OfSpecies[][] {
  const groups: OfSpecies[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const detection of [...detections].sort((a, b) => a.start - b.start)) {
    if (detection.start > end + gapMs) groups.push([]);
    groups.at(-1)?.push(detection);
    end = Math.max(end, detection.end);
  }
  return groups;
}

function groupBySpecies(detections: readonly OfSpecies[]): Map<number, RuleDetection[]> {
  const bySpecies = new Map<number, RuleDetection[]>();
  for (const { speciesId, ...detection } of detections) {
    const ofSpecies = bySpecies.get(speciesId);
    if (ofSpecies) ofSpecies.push(detection);
    else bySpecies.set(speciesId, [detection]);
  }
  return bySpecies;
}

function rollUp(visits: readonly ReferenceVisit[]): string[] {
  const sums = new Map<string, Record<string, string | number>>();
  for (const visit of visits) {
    const own = {
      visits: 1,
      individuals: visit.maxSimultaneous,
      video_visits: visit.videoDetections > 0 ? 1 : 0,
      detections: visit.detectionIds.length + visit.attachedDetectionIds.length,
      seconds: (visit.end - visit.start) / 1000,
    };
    const day = new Date(visit.start).toISOString().slice(0, 10);
    const inMonth = { ...own, detections: 0, seconds: 0 };
    for (const [key, values] of [
      [day, own],
      [`month ${day.slice(0, 7)}`, inMonth],
      [`month 0000${day.slice(4, 7)}`, inMonth],
      ['ever', { ...inMonth, video_visits: 0 }],
    ] as const) {
      const name = `${key} ${visit.speciesId}`;
      const sum = sums.get(name) ?? { day: key, species_id: visit.speciesId };
      for (const [column, value] of Object.entries(values)) {
        sum[column] = Math.round((Number(sum[column] ?? 0) + value) * 1000) / 1000;
      }
      sums.set(name, sum);
    }
  }
  const order = (sum: Record<string, string | number>) =>
    `${sum['day']} ${String(sum['species_id']).padStart(9, '0')}`;
  return [...sums.values()]
    .sort((a, b) => order(a).localeCompare(order(b)))
    .map((sum) => JSON.stringify(sum));
}

/** Applies the rule to the stored detections; days are in UTC. */
export async function readExpectedState(pool: pg.Pool): Promise<StoredState> {
  const detections = await all<OfSpecies>(
    pool,
    `SELECT detection.id, species_id AS "speciesId", source, camera_id AS "cameraId",
       ${msSql('detection.start_time')} AS start, ${msSql('detection.end_time')} AS "end"
     FROM detection JOIN video ON video.id = video_id`,
  );
  const [rule] = await all<{ gap_ms: number }>(pool, 'SELECT gap_ms FROM visit_rule');
  const parents = await all<{ id: number; parent_id: number | null }>(
    pool,
    'SELECT id, parent_id FROM species',
  );
  const parentOf = new Map(parents.map((row) => [row.id, row.parent_id]));
  const gapMs = rule?.gap_ms ?? 0;
  // Split because the reference is quadratic. The groups are in chronological order, so the visits are too.
  const visits = splitAtSilences(detections, gapMs).flatMap((group) =>
    referenceVisits(groupBySpecies(group), parentOf, gapMs),
  );
  const cameras = await all<{ camera_id: string; count: number }>(
    pool,
    `SELECT camera_id, count(*) AS count FROM video GROUP BY camera_id`,
  );
  const counts = {
    videos: cameras.reduce((sum, row) => sum + row.count, 0),
    detections: detections.length,
    visits: visits.length,
    recordings_bytes: (await readFiles(pool)).bytes,
    ...Object.fromEntries(
      cameras.filter((row) => row.camera_id).map((row) => [`camera:${row.camera_id}`, row.count]),
    ),
  };
  return {
    visits,
    rollups: rollUp(visits),
    counters: Object.fromEntries(Object.entries(counts).filter(([, value]) => value !== 0)),
  };
}
