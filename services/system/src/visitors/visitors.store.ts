import { countedSql } from '@birdhub/domain/species';
import { queryRow } from '@birdhub/shared/db';
import type pg from 'pg';

const visitorsSql = `
  SELECT coalesce(sum(visits), 0) AS visits, count(DISTINCT day) FILTER (WHERE visits > 0) AS days
  FROM visit_day JOIN species ON species.id = species_id
  WHERE day > $1::date - $2::integer AND day <= $1::date AND ${countedSql()}`;

interface VisitorCounts {
  readonly visits: number;
  /** Number of days with a visit. */
  readonly days: number;
}

/** Reads the daily rollups up to and including the last day. */
export function readVisitors(pool: pg.Pool, lastDay: string, days: number): Promise<VisitorCounts> {
  return queryRow<VisitorCounts>(pool, { name: 'visitors', text: visitorsSql, values: [lastDay, days] });
}
