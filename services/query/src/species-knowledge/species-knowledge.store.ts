import { isOwnPicture } from '@birdhub/domain/species';
import type { PrismaClient } from '@birdhub/shared/db';
import type pg from 'pg';
import type { DescriptionLanguage } from './description-language.js';
import { type PageSummary, textLicence } from './wikipedia.js';

/** A species to look up in the encyclopedia. */
export interface WantedSpecies {
  readonly id: number;
  /** Names to look up, best first. */
  readonly names: readonly string[];
}

const lookedUpName = `concat_ws(' | ', scientific_name, name)`;

/** Returns the species with the most visits that was never looked up, or whose lookup is outdated or used other names. */
export async function findWanted(pool: pg.Pool, now: number): Promise<WantedSpecies | undefined> {
  const { rows } = await pool.query<WantedSpecies>(
    `SELECT id, array_remove(ARRAY[scientific_name, name], NULL) AS names
     FROM species JOIN species_total total ON total.species_id = id LEFT JOIN species_info info ON info.species_id = id
     WHERE visits > 0 AND NOT generic AND merged_into IS NULL
       AND (ask_again_at IS NULL OR ask_again_at <= $1 OR asked_for <> ${lookedUpName})
     ORDER BY visits DESC, id LIMIT 1`,
    [new Date(now)],
  );
  return rows[0];
}

/** When a species was looked up, and when to look it up again, in ms since the epoch. */
export interface LookupTimes {
  readonly now: number;
  readonly fetchAgainAt: number;
}

const saveSql = `
  WITH old AS MATERIALIZED (SELECT description, image_url FROM species_info WHERE species_id = $1),
  saved AS (
    INSERT INTO species_info (species_id, state, asked_for, description, image_url, source_url, licence, fetched_at, ask_again_at)
    SELECT id, $2, ${lookedUpName}, $3, $4, $5, $6, $7, $8 FROM species WHERE id = $1
    ON CONFLICT (species_id) DO UPDATE SET state = EXCLUDED.state, asked_for = EXCLUDED.asked_for,
      description = EXCLUDED.description, image_url = EXCLUDED.image_url, source_url = EXCLUDED.source_url,
      licence = EXCLUDED.licence, fetched_at = EXCLUDED.fetched_at, ask_again_at = EXCLUDED.ask_again_at),
  shown AS (
    SELECT
      CASE WHEN own.description IS NULL OR own.description = old.description THEN $3 ELSE own.description END AS description,
      CASE WHEN ${isOwnPicture('own.image_url')} THEN coalesce($4, own.image_url)
        WHEN own.image_url IS NULL OR own.image_url = old.image_url THEN $4 ELSE own.image_url END AS image_url
    FROM species own LEFT JOIN old ON true WHERE own.id = $1)
  UPDATE species SET description = shown.description, image_url = shown.image_url FROM shown
  WHERE id = $1 AND (species.description, species.image_url) IS DISTINCT FROM (shown.description, shown.image_url)`;

/**
 * Stores the result of a lookup, undefined when there is no page, and applies it unless people entered their own values.
 * Returns whether the displayed values changed.
 */
export async function saveInfo(
  pool: pg.Pool,
  speciesId: number,
  summary: PageSummary | undefined,
  { now, fetchAgainAt }: LookupTimes,
): Promise<boolean> {
  const { description = null, imageUrl = null, sourceUrl = null } = summary ?? {};
  const state = summary ? 'found' : 'missing';
  const licence = summary ? textLicence : null;
  const times = [new Date(now), new Date(fetchAgainAt)];
  const values = [speciesId, state, description, imageUrl, sourceUrl, licence, ...times];
  const { rowCount } = await pool.query(saveSql, values);
  return rowCount === 1;
}

/** Stores a failed lookup; earlier values are kept. */
export async function saveFailure(
  pool: pg.Pool,
  speciesId: number,
  { now, fetchAgainAt }: LookupTimes,
): Promise<void> {
  await pool.query(
    `INSERT INTO species_info (species_id, state, asked_for, fetched_at, ask_again_at)
     SELECT id, 'failed', ${lookedUpName}, $2, $3 FROM species WHERE id = $1
     ON CONFLICT (species_id) DO UPDATE SET asked_for = EXCLUDED.asked_for, ask_again_at = EXCLUDED.ask_again_at`,
    [speciesId, new Date(now), new Date(fetchAgainAt)],
  );
}

/** A species to look up in the encyclopedia of a language. */
export interface WantedTranslation {
  readonly id: number;
  readonly scientificName: string;
  readonly language: DescriptionLanguage;
}

/**
 * Returns the species with the most visits that was never looked up in one of these languages, or whose lookup is
 * outdated or used another name. Only scientific names are used, as a common name may mean something else in another
 * language.
 */
export async function findWantedTranslation(
  pool: pg.Pool,
  languages: readonly DescriptionLanguage[],
  now: number,
): Promise<WantedTranslation | undefined> {
  const { rows } = await pool.query<WantedTranslation>(
    `SELECT id, scientific_name AS "scientificName", wanted.language
     FROM species JOIN species_total total ON total.species_id = id CROSS JOIN unnest($2::text[]) wanted (language)
       LEFT JOIN species_translation translation ON translation.species_id = id AND translation.language = wanted.language
     WHERE visits > 0 AND NOT generic AND merged_into IS NULL AND scientific_name IS NOT NULL
       AND (ask_again_at IS NULL OR ask_again_at <= $1 OR asked_for <> scientific_name)
     ORDER BY visits DESC, id, wanted.language LIMIT 1`,
    [new Date(now), languages],
  );
  return rows[0];
}

const keyOf = ({ id, language }: WantedTranslation) => ({
  speciesId_language: { speciesId: id, language },
});

/** Stores the description of a species in a language, undefined when there is no page. */
export async function saveTranslation(
  prisma: PrismaClient,
  wanted: WantedTranslation,
  summary: PageSummary | undefined,
  { now, fetchAgainAt }: LookupTimes,
): Promise<void> {
  const { id: speciesId, language, scientificName: lookedUpName } = wanted;
  const { description = null, sourceUrl = null } = summary ?? {};
  const text =
    description === null
      ? { state: 'missing', description, sourceUrl: null, licence: null }
      : { state: 'found', description, sourceUrl, licence: textLicence };
  const row = { ...text, lookedUpName, fetchedAt: new Date(now), fetchAgainAt: new Date(fetchAgainAt) };
  await prisma.speciesTranslation.upsert({
    where: keyOf(wanted),
    create: { speciesId, language, ...row },
    update: row,
  });
}

/** Stores a failed request to the encyclopedia; earlier texts are kept. */
export async function saveTranslationFailure(
  prisma: PrismaClient,
  wanted: WantedTranslation,
  { now, fetchAgainAt }: LookupTimes,
): Promise<void> {
  const { id: speciesId, language, scientificName: lookedUpName } = wanted;
  const attempt = { lookedUpName, fetchAgainAt: new Date(fetchAgainAt) };
  await prisma.speciesTranslation.upsert({
    where: keyOf(wanted),
    create: { speciesId, language, state: 'failed', fetchedAt: new Date(now), ...attempt },
    update: attempt,
  });
}
