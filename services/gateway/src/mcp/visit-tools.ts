import { Type } from 'typebox';
import { HubCallError, type HubCalls } from './hub-calls.js';
import { type HubTool, readOnlyHints, tool } from './tool.js';
import { badCursor, checkPeriod, findSpecies, ignoreRefused, readDays, windowOf } from './tool-arguments.js';
import {
  Bird,
  cursor,
  day,
  defaultRows,
  limit,
  nextCursor,
  number,
  orNull,
  speciesInput,
  text,
  toBird,
} from './tool-schemas.js';

const maxPeriodDays = 366;
const maxNoteworthy = 10;

/** Tools for visits. */
export const visitTools: readonly HubTool[] = [
  tool({
    name: 'who_came',
    title: 'Who came',
    description:
      'Lists the visits of a day (by default today) or of up to 31 days, newest first: species, times, ' +
      'maximum number of birds at the same time, camera and confidence. For a family or genus, lists the ' +
      'visits of all its species.',
    scope: 'read',
    annotations: readOnlyHints,
    input: Type.Object({
      date: Type.Optional(day('The day')),
      from: Type.Optional(day('First day; requires `to`')),
      to: Type.Optional(day('Last day; requires `from`')),
      species: Type.Optional(speciesInput),
      camera: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'Id of a camera' })),
      limit,
      cursor,
    }),
    output: Type.Object({
      visits: Type.Array(
        Type.Object({
          visit_id: number('Id of the visit, for show_picture'),
          species: Bird,
          start: text('Start time with UTC offset'),
          end: text('End time with UTC offset'),
          birds: number('Maximum number of birds at the same time'),
          cameras: Type.Array(Type.String()),
          confidence: number('Highest confidence of its detections, 0 to 1'),
          reviewed: Type.Boolean({ description: 'Whether a user has reviewed the visit' }),
          detection_id: number('Id of the most certain detection, for show_picture, confirm and correct'),
          video_id: number('Id of the recording of that detection'),
        }),
      ),
      total: number('Total number of visits that started on these days, on all pages'),
      next_cursor: nextCursor,
    }),
    async run({ date, from, to, species, camera, limit: rows = defaultRows, cursor: page }, hub) {
      const { first, last } = await readDays({ date, from, to }, hub);
      const window = await windowOf(first, last, hub);
      const taxon_id = species === undefined ? undefined : (await findSpecies(hub, species)).species_id;
      const filter = { ...window, taxon_id, camera_id: camera };
      const [{ items, next }, days] = await Promise.all([
        readVisits({ ...filter, limit: rows, cursor: page }, hub),
        hub.get('/api/ui/timeline/buckets', { ...filter, by: 'day' }),
      ]);
      return {
        value: {
          visits: await Promise.all(items.map((item) => describeVisit(item, hub))),
          total: (days as { visits: number }[]).reduce((sum, { visits }) => sum + visits, 0),
          next_cursor: next,
        },
      };
    },
  }),
  tool({
    name: 'day_summary',
    title: 'Summary of a day',
    description:
      'Returns the visits, species, busiest hour, new and rare species, sunrise, sunset and temperatures ' +
      'of one day, by default today.',
    scope: 'read',
    annotations: readOnlyHints,
    input: Type.Object({ date: Type.Optional(day('The day')) }),
    output: Type.Object({
      date: text('The day'),
      visits: number('Number of visits of birds'),
      species_count: number('Number of species of birds'),
      busiest_hour: orNull(Type.Number(), 'Hour of the day in which most visits started'),
      species: Type.Array(
        Type.Object({
          species_id: number('Id of the species'),
          name: text('Name of the species'),
          visits: number('Number of visits'),
        }),
        { description: 'The ten species with the most visits' },
      ),
      noteworthy: Type.Array(
        Type.Object({
          species_id: number('Id of the species'),
          name: text('Name of the species'),
          reason: text('Why the species is noteworthy'),
        }),
      ),
      sunrise: orNull(
        Type.String(),
        'Time of sunrise with UTC offset; null when the hub has no location or there is no sunrise',
      ),
      sunset: orNull(
        Type.String(),
        'Time of sunset with UTC offset; null when the hub has no location or there is no sunset',
      ),
      temperatures: Type.Array(Type.Union([Type.Number(), Type.Null()]), {
        description: 'Temperature in °C for each hour of the day',
      }),
    }),
    async run({ date }, hub) {
      return { value: await summariseDay(date, hub) };
    },
  }),
  tool({
    name: 'compare_periods',
    title: 'Compare two periods',
    description:
      'Compares the visits and species of two periods of up to 366 days, for all species, or for one ' +
      'species, genus or family with all its species. Species are sorted by their number of visits.',
    scope: 'read',
    annotations: readOnlyHints,
    input: Type.Object({
      from: day('First day of the first period'),
      to: day('Last day of the first period'),
      other_from: day('First day of the second period'),
      other_to: day('Last day of the second period'),
      species: Type.Optional(speciesInput),
      limit,
    }),
    output: Type.Object({
      periods: Type.Array(
        Type.Object({
          from: text('First day'),
          to: text('Last day'),
          visits: number('Number of visits'),
          species: number('Number of species'),
        }),
      ),
      species: Type.Array(
        Type.Object({
          ...Bird.properties,
          visits: Type.Array(Type.Number(), { description: 'Number of visits in each period' }),
        }),
      ),
      more_species: number('Number of species omitted because of `limit`'),
    }),
    async run({ from, to, other_from, other_to, species, limit: rows = defaultRows }, hub) {
      checkPeriod(from, to, { first: 'from', last: 'to' }, maxPeriodDays);
      checkPeriod(other_from, other_to, { first: 'other_from', last: 'other_to' }, maxPeriodDays);
      const species_id = species === undefined ? undefined : (await findSpecies(hub, species)).species_id;
      const compared = await hub.get('/api/ui/comparison', {
        start_date: from,
        end_date: to,
        other_start_date: other_from,
        other_end_date: other_to,
        species_id,
      });
      const listed: readonly ComparedSpecies[] = compared.species;
      return {
        value: {
          periods: (compared.periods as ComparedPeriod[]).map((one) => ({
            from: one.start_date,
            to: one.end_date,
            visits: one.visits,
            species: one.species,
          })),
          species: listed.slice(0, rows).map((one) => ({ ...toBird(one, hub), visits: one.visits })),
          more_species: Math.max(0, listed.length - rows),
        },
      };
    },
  }),
];

interface ComparedPeriod {
  readonly start_date: string;
  readonly end_date: string;
  readonly visits: number;
  readonly species: number;
}

interface ComparedSpecies {
  readonly id: number;
  readonly name: string;
  readonly scientific_name: string | null;
  readonly visits: readonly number[];
}

/** A visit of the timeline. */
interface VisitItem {
  readonly id: number;
  readonly start_time: string;
  readonly end_time: string;
  readonly max_simultaneous: number;
  readonly species: { readonly id: number; readonly name: string; readonly scientific_name: string | null };
  readonly cameras: readonly string[];
  readonly detections: readonly { id: number; video_id: number; confidence: number; reviewed: boolean }[];
}

type VisitQuery = Parameters<HubCalls['page']>[1];

/** Returns a page of the visits of a window. The cursor is that of the timeline. @throws HubCallError */
async function readVisits(query: VisitQuery, hub: HubCalls) {
  const found = hub.page('/api/ui/timeline', { ...query, timeline_kind: 'visit' });
  const { items, next } = await found.catch((error: unknown) => {
    const isCursor = error instanceof HubCallError && error.message.startsWith('cursor:');
    throw isCursor ? badCursor() : error;
  });
  return { items: items as readonly VisitItem[], next };
}

/** Returns a visit in the form for assistants. */
export async function describeVisit(item: VisitItem, hub: HubCalls) {
  const [first, ...others] = item.detections;
  const best = others.reduce((a, b) => (a && a.confidence >= b.confidence ? a : b), first);
  return {
    visit_id: item.id,
    species: toBird(item.species, hub),
    start: await hub.local(item.start_time),
    end: await hub.local(item.end_time),
    birds: item.max_simultaneous,
    cameras: item.cameras,
    confidence: best?.confidence ?? 0,
    reviewed: item.detections.some(({ reviewed }) => reviewed),
    detection_id: best?.id ?? 0,
    video_id: best?.video_id ?? 0,
  };
}

interface Overview {
  readonly topSpecies: readonly { id: number; name: string; detections: readonly number[] }[];
  readonly noteworthy?: readonly { species_id: number; reason: string }[];
}

/** Summarises a day, by default today. @throws HubCallError */
export async function summariseDay(given: string | undefined, hub: HubCalls) {
  const { first: date } = await readDays({ date: given }, hub);
  const [overview, sun] = await Promise.all([
    hub.get('/api/ui/overview', { date }),
    hub.get('/api/ui/sun-times', { date }).catch(ignoreRefused),
  ]);
  const zoned = (instant: unknown) => (typeof instant === 'string' ? hub.local(instant) : null);
  const { topSpecies, noteworthy = [] } = overview as Overview;
  return {
    date,
    visits: overview.stats.totalDetections,
    species_count: overview.stats.uniqueSpecies,
    busiest_hour: overview.stats.busiestHour,
    species: topSpecies.map(({ id: species_id, name, detections }) => ({
      species_id,
      name: hub.nameOf(name),
      visits: detections.reduce((sum, one) => sum + one, 0),
    })),
    noteworthy: await Promise.all(
      noteworthy.slice(0, maxNoteworthy).map(async ({ species_id, reason }) => {
        const { species } = await hub.get(`/api/ui/species/${species_id}/summary`);
        return { species_id, name: hub.nameOf(species.name), reason };
      }),
    ),
    sunrise: await zoned(sun?.sunrise),
    sunset: await zoned(sun?.sunset),
    temperatures: overview.hourlyTemperature,
  };
}
