import type { PrismaClient } from '@birdhub/shared/db';
import type pg from 'pg';
import type { DescriptionLanguage } from './description-language.js';
import type { AskedAt } from './species-info.store.js';
import { type PageSummary, textLicence } from './wikipedia-summary.js';

/** A species of which the encyclopedia of a language is asked. */
export interface WantedTranslation {
  readonly id: number;
  readonly scientificName: string;
  readonly language: DescriptionLanguage;
}

/**
 * The species with the most visits of which the encyclopedia of one of these languages was not asked, or long ago, or
 * by another name. It is asked by scientific names alone: a common name may be anything in another language.
 */
export async function findWantedTranslation(
  pool: pg.Pool,
  languages: readonly DescriptionLanguage[],
  now: number,
): Promise<WantedTranslation | undefined> {
  const { rows } = await pool.query<WantedTranslation>(
    `SELECT id, scientific_name AS "scientificName", wanted.language
     FROM species JOIN species_total total ON total.species_id = id CROSS JOIN unnest($2::text[]) wanted (language)
       LEFT JOIN species_translation told ON told.species_id = id AND told.language = wanted.language
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

/** Keeps what the encyclopedia of a language says of a species, nothing when it has no page. */
export async function saveTranslation(
  prisma: PrismaClient,
  wanted: WantedTranslation,
  summary: PageSummary | undefined,
  { now, askAgainAt }: AskedAt,
): Promise<void> {
  const { id: speciesId, language, scientificName: askedFor } = wanted;
  const { description = null, sourceUrl = null } = summary ?? {};
  const told =
    description === null
      ? { state: 'missing', description, sourceUrl: null, licence: null }
      : { state: 'found', description, sourceUrl, licence: textLicence };
  const row = { ...told, askedFor, fetchedAt: new Date(now), askAgainAt: new Date(askAgainAt) };
  await prisma.speciesTranslation.upsert({
    where: keyOf(wanted),
    create: { speciesId, language, ...row },
    update: row,
  });
}

/** Notes that the encyclopedia did not answer; what is known stays. */
export async function saveTranslationFailure(
  prisma: PrismaClient,
  wanted: WantedTranslation,
  { now, askAgainAt }: AskedAt,
): Promise<void> {
  const { id: speciesId, language, scientificName: askedFor } = wanted;
  const asked = { askedFor, askAgainAt: new Date(askAgainAt) };
  await prisma.speciesTranslation.upsert({
    where: keyOf(wanted),
    create: { speciesId, language, state: 'failed', fetchedAt: new Date(now), ...asked },
    update: asked,
  });
}
