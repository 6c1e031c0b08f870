import { extname } from 'node:path';
import { findSpeciesNamed, type HubLanguage, speciesNameIn } from '@birdhub/domain/language';
import { mediaKindSql } from '@birdhub/domain/media';
import type { Settings } from '@birdhub/domain/settings';
import { countedSql } from '@birdhub/domain/species';
import { HubError } from '@birdhub/shared/errors';
import { msSql, nextDay, startOfDay, type TimeWindow } from '@birdhub/shared/time';
import type pg from 'pg';
import type { DisplayVisit, DisplayVisitPage } from './displays.schema.js';
import { toStationTime } from './station-time.js';

/** A filter of visits by species. */
export interface DisplayMatch {
  /** A scientific or common name or an eBird code. */
  readonly species: string | undefined;
  /** Part of a name. */
  readonly search: string | undefined;
  /** The language of common names; the names in the database match too. */
  readonly language: HubLanguage;
}

/**
 * SQL: species for displays that match the parameters, two arrays of lower-case texts. Displays identify birds by
 * scientific names.
 */
export const shownSpeciesSql = (species: string, search: string): string => `
  SELECT id FROM species
  WHERE ${countedSql()} AND merged_into IS NULL AND scientific_name IS NOT NULL
    AND (${species}::text[] IS NULL OR ARRAY[lower(name), lower(scientific_name), ebird_code] && ${species}::text[])
    AND (${search}::text[] IS NULL OR lower(name) = ANY(${search}::text[])
      OR strpos(lower(name), (${search}::text[])[1]) > 0 OR strpos(lower(scientific_name), (${search}::text[])[1]) > 0)`;

/**
 * Returns the parameters of {@link shownSpeciesSql}; null disables a filter. The first element of each is the requested
 * text.
 */
export function matchValues({ species, search, language }: DisplayMatch): (string[] | null)[] {
  const textsOf = (input: string | undefined, matches: (name: string, wanted: string) => boolean) => {
    const wanted = input?.trim().toLowerCase();
    if (!wanted) return null;
    const names = findSpeciesNamed(language, (name) => matches(name.toLowerCase(), wanted));
    return [wanted, ...names.map((name) => name.toLowerCase())];
  };
  return [
    textsOf(species, (name, wanted) => name === wanted),
    textsOf(search, (name, wanted) => name.includes(wanted)),
  ];
}

/** Matches all species. */
export const allSpecies = { species: undefined, search: undefined, language: 'en' } as const;

/** Days from first to last, inclusive, `YYYY-MM-DD`. */
export interface DaySpan {
  readonly first: string;
  readonly last: string;
}

/** The number of visits and species of a day. */
export interface DayFigures {
  readonly day: string;
  readonly visits: number;
  readonly species: number;
}

const daysSql = `
  SELECT to_char(day, 'YYYY-MM-DD') AS day, sum(visits)::integer AS visits, count(*)::integer AS species
  FROM visit_day WHERE day BETWEEN $1::date AND $2::date AND species_id IN (${shownSpeciesSql('$3', '$4')})
  GROUP BY 1 ORDER BY 1`;

/** Returns the days with visits, oldest first. */
export async function readDays(pool: pg.Pool, span: DaySpan, match: DisplayMatch): Promise<DayFigures[]> {
  const values = [span.first, span.last, ...matchValues(match)];
  const { rows } = await pool.query<DayFigures>({ name: 'display-days', text: daysSql, values });
  return rows;
}

/** The position of a page of visits. */
export interface PagePlan {
  /** The days that overlap the page. */
  readonly span: DaySpan;
  /** Number of visits of these days before the page. */
  readonly skip: number;
}

/**
 * Finds the days of a page, so that at most the page and the remainder of two days are read, regardless of its position.
 * Returns undefined for a page after the last visit.
 */
export function planPage(
  days: readonly Pick<DayFigures, 'day' | 'visits'>[],
  { offset, limit, isAscending }: { offset: number; limit: number; isAscending: boolean },
): PagePlan | undefined {
  const ordered = isAscending ? days : days.toReversed();
  let before = 0;
  let start: { readonly day: string; readonly skip: number } | undefined;
  let end: string | undefined;
  for (const { day, visits } of ordered) {
    if (before >= offset + limit) break;
    if (before + visits > offset) {
      start ??= { day, skip: offset - before };
      end = day;
    }
    before += visits;
  }
  if (!start || end === undefined) return undefined;
  const [first, last] = isAscending ? [start.day, end] : [end, start.day];
  return { span: { first, last }, skip: start.skip };
}

/** Zone, language and cameras for responses to displays. */
export interface DisplayFrame {
  readonly zone: string;
  /** The language of common names. */
  readonly language: HubLanguage;
  readonly cameras: Settings['video']['cameras'];
}

/** A query for a page of visits of a window. */
export interface VisitsSearch {
  readonly window: TimeWindow;
  readonly match: DisplayMatch;
  readonly limit: number;
  readonly skip: number;
  readonly isAscending: boolean;
}

const mediaKind = mediaKindSql('video');

/** SQL: the recording of a visit with the best audio detection, else with the best video detection. */
const bestRecordingSql = (visit: string) => `
  SELECT video.id AS "videoId", video_path AS "videoPath", camera_id AS "cameraId", favorite, source,
    coalesce(media IN ('ready', 'pending') AND ${mediaKind} <> 'image', false) AS "hasClip"
  FROM detection JOIN video ON video.id = video_id WHERE visit_id = ${visit}
  ORDER BY "hasClip" DESC, source = 'audio' DESC, confidence DESC, detection.id LIMIT 1`;

const visitColumns = `
  page.id, ${msSql('page.start_time')} AS start,
  ${msSql('page.end_time')} AS "end", species.name, scientific_name AS "scientificName",
  ebird_code AS "speciesCode", found.*, best.*`;

const visitJoins = `
  JOIN species ON species.id = page.species_id
  CROSS JOIN LATERAL (
    SELECT max(confidence) AS confidence, bool_or(reviewed) AS "isReviewed", bool_or(source = 'video') AS "wasSeen"
    FROM detection WHERE visit_id = page.id OFFSET 0
  ) found
  CROSS JOIN LATERAL (${bestRecordingSql('page.id')}) best`;

const orders = { asc: 'start_time, id', desc: 'start_time DESC, id DESC' };

const visitsSql = (order: string) => `
  WITH page AS MATERIALIZED (
    SELECT id, species_id, start_time, end_time FROM species_visit
    WHERE start_time >= $1 AND start_time < $2 AND species_id IN (${shownSpeciesSql('$3', '$4')})
    ORDER BY ${order} LIMIT $5 OFFSET $6
  )
  SELECT ${visitColumns} FROM page ${visitJoins} ORDER BY ${order.replaceAll(/start_time|id/g, 'page.$&')}`;

interface VisitRow {
  readonly id: number;
  readonly start: number;
  readonly end: number;
  readonly name: string;
  readonly scientificName: string;
  readonly speciesCode: string | null;
  readonly confidence: number;
  readonly isReviewed: boolean;
  readonly wasSeen: boolean;
  readonly videoPath: string;
  readonly cameraId: string;
  readonly favorite: boolean;
  readonly hasClip: boolean;
}

/** Returns visits that start in a window. */
export async function readVisits(
  pool: pg.Pool,
  { window, match, limit, skip, isAscending }: VisitsSearch,
  frame: DisplayFrame,
): Promise<DisplayVisit[]> {
  const values = [new Date(window.start), new Date(window.end), ...matchValues(match), limit, skip];
  // Unnamed, so that it is planned for the given window.
  const text = visitsSql(isAscending ? orders.asc : orders.desc);
  const { rows } = await pool.query<VisitRow>(text, values);
  return rows.map((row) => toDisplayVisit(row, frame));
}

/** A query for a page of visits within hours or days. */
export interface PageSearch extends Pick<VisitsSearch, 'match' | 'limit' | 'isAscending'> {
  readonly within: { readonly hours: TimeWindow } | { readonly days: DaySpan };
  readonly offset: number;
}

/** Returns a page of visits, with the total number. */
export async function readVisitPage(
  pool: pg.Pool,
  search: PageSearch,
  frame: DisplayFrame,
): Promise<DisplayVisitPage> {
  const { limit, offset } = search;
  const { data, total } = await ('hours' in search.within
    ? readPageOfHours(pool, search, search.within.hours, frame)
    : readPageOfDays(pool, search, search.within.days, frame));
  return {
    data,
    total,
    limit,
    offset,
    current_page: Math.floor(offset / limit) + 1,
    total_pages: Math.ceil(total / limit),
  };
}

async function readPageOfHours(pool: pg.Pool, search: PageSearch, hours: TimeWindow, frame: DisplayFrame) {
  const { offset, ...page } = search;
  const total = await countVisits(pool, hours, search.match);
  const isPast = offset >= total;
  return {
    total,
    data: isPast ? [] : await readVisits(pool, { ...page, window: hours, skip: offset }, frame),
  };
}

async function readPageOfDays(pool: pg.Pool, search: PageSearch, span: DaySpan, frame: DisplayFrame) {
  const days = await readDays(pool, span, search.match);
  const total = days.reduce((sum, { visits }) => sum + visits, 0);
  const plan = planPage(days, search);
  if (!plan) return { total, data: [] };
  const window = windowOfDays(frame.zone, plan.span);
  return { total, data: await readVisits(pool, { ...search, window, skip: plan.skip }, frame) };
}

const countSql = `
  SELECT count(*)::integer AS visits FROM species_visit
  WHERE start_time >= $1 AND start_time < $2 AND species_id IN (${shownSpeciesSql('$3', '$4')})`;

/** Counts the visits that start in a window. Reads all of them, so the window should not exceed a day. */
async function countVisits(pool: pg.Pool, window: TimeWindow, match: DisplayMatch): Promise<number> {
  const values = [new Date(window.start), new Date(window.end), ...matchValues(match)];
  const { rows } = await pool.query<{ visits: number }>(countSql, values);
  return rows[0]?.visits ?? 0;
}

const visitSql = `
  SELECT ${visitColumns} FROM species_visit page ${visitJoins}
  WHERE page.id = $1 AND page.species_id IN (${shownSpeciesSql('NULL', 'NULL')})`;

const notFound = () => new HubError('detection_not_found');

/** Returns one visit. @throws HubError detection_not_found */
export async function getVisit(pool: pg.Pool, id: number, frame: DisplayFrame): Promise<DisplayVisit> {
  const { rows } = await pool.query<VisitRow>({ name: 'display-visit', text: visitSql, values: [id] });
  const [row] = rows;
  if (!row) throw notFound();
  return toDisplayVisit(row, frame);
}

const clipSql = `
  SELECT best."videoId", best."hasClip" FROM species_visit visit
    CROSS JOIN LATERAL (${bestRecordingSql('visit.id')}) best
  WHERE visit.id = $1 AND species_id IN (${shownSpeciesSql('NULL', 'NULL')})`;

/** Returns the recording used as the clip of a visit. @throws HubError detection_not_found, media_missing */
export async function getClipOf(pool: pg.Pool, id: number): Promise<number> {
  const statement = { name: 'display-clip', text: clipSql, values: [id] };
  const { rows } = await pool.query<{ videoId: number; hasClip: boolean }>(statement);
  const [row] = rows;
  if (!row) throw notFound();
  if (!row.hasClip) throw new HubError('media_missing', { message: 'This visit has no audio.' });
  return row.videoId;
}

/** Returns the window of a span of days. */
export const windowOfDays = (zone: string, { first, last }: DaySpan): TimeWindow => ({
  start: startOfDay(zone, first),
  end: startOfDay(zone, nextDay(last)),
});

/** Audio in an MP4 is named `.m4a`, so that programs save it correctly. */
const soundExtensions: Readonly<Record<string, string>> = { '.mp4': '.m4a' };

function toDisplayVisit(row: VisitRow, { zone, language, cameras }: DisplayFrame): DisplayVisit {
  const { id, start, cameraId, scientificName, confidence } = row;
  const started = toStationTime(zone, start);
  const rounded = Math.round(confidence * 10_000) / 10_000;
  const extension = extname(row.videoPath).toLowerCase();
  const stamp = `${started.date}T${started.time}`.replaceAll(/[-:]/g, '');
  const species = scientificName.toLowerCase().replaceAll(/[^\p{L}\d]+/gu, '_');
  const clipName = `${species}_${Math.round(confidence * 100)}p_${stamp}${soundExtensions[extension] ?? extension}`;
  const displayName = cameras.find((camera) => camera.id === cameraId)?.name || cameraId;
  return {
    id,
    ...started,
    ...(cameraId && { source: { id: cameraId, type: row.wasSeen ? 'camera' : 'microphone', displayName } }),
    beginTime: started.timestamp,
    endTime: toStationTime(zone, row.end).timestamp,
    speciesCode: row.speciesCode ?? '',
    scientificName,
    commonName: speciesNameIn(language, row.name),
    confidence: rounded,
    ...(row.hasClip && { clipName }),
    modelType: 'bird',
    verified: row.isReviewed ? 'correct' : 'unverified',
    locked: row.favorite,
  };
}
