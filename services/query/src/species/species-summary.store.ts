import { HubError } from '@birdhub/shared/errors';
import type { ZoneClock } from '@birdhub/shared/time';
import type pg from 'pg';
import type { DescriptionLanguage } from '../species-knowledge/description-language.js';
import { speciesSummarySql } from './species-summary-sql.js';

/** Whose summary, and when. */
export interface SummarySearch {
  readonly speciesId: number;
  /** The present, in ms since the epoch. */
  readonly now: number;
  readonly clock: ZoneClock;
  /** Of the description. */
  readonly language: DescriptionLanguage;
}

/**
 * The JSON of a summary without its visits.
 * @throws HubError species_not_found
 */
export async function readSpeciesSummary(
  pool: pg.Pool,
  { speciesId, now, clock, language }: SummarySearch,
): Promise<string> {
  const values = [speciesId, new Date(now), clock.starts, clock.offsets, language];
  const statement = { name: 'species-summary', text: speciesSummarySql, values };
  const { rows } = await pool.query<{ body: string }>(statement);
  const [row] = rows;
  if (!row) throw new HubError('species_not_found');
  return row.body;
}
