import { Type } from 'typebox';
import type { HubCalls } from './hub-calls.js';
import { type HubTool, readOnlyHints, tool } from './tool.js';
import { findSpecies, ignoreRefused, pageOf } from './tool-arguments.js';
import {
  Bird,
  cursor,
  defaultRows,
  limit,
  maxRows,
  nextCursor,
  number,
  orNull,
  speciesInput,
  text,
  toBird,
} from './tool-schemas.js';

/** Maximum number of weather conditions in a description, most visits first. */
const maxWeathers = 5;

/** Tools for species. */
export const speciesTools: readonly HubTool[] = [
  tool({
    name: 'find_species',
    title: 'Find a species',
    description:
      'Finds species of this hub by part of a name. Species with the most visits are listed first.',
    scope: 'read',
    annotations: readOnlyHints,
    input: Type.Object({
      text: Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Part of a name, or a label of a detector',
      }),
      limit,
      cursor,
    }),
    output: Type.Object({
      species: Type.Array(
        Type.Object({
          ...Bird.properties,
          visits: number('Total number of visits'),
          last_seen: orNull(Type.String(), 'End of the last visit, with UTC offset'),
        }),
      ),
      next_cursor: nextCursor,
    }),
    async run({ text: wanted, limit: rows = defaultRows, cursor: page }, hub) {
      const [all, resolved] = await Promise.all([
        hub.get('/api/ui/species'),
        hub.get('/api/ui/species/resolve', { label: wanted }).catch(ignoreRefused),
      ]);
      const part = wanted.toLowerCase();
      const hasPart = (name: string | null) => name?.toLowerCase().includes(part) ?? false;
      const found = (all as ListedSpecies[])
        .filter(
          ({ id, name, scientific_name }) =>
            id === resolved?.species_id ||
            hasPart(name) ||
            hasPart(hub.nameOf(name)) ||
            hasPart(scientific_name),
        )
        .sort((a, b) => b.visits - a.visits || a.name.localeCompare(b.name) || a.id - b.id);
      const { part: listed, next } = pageOf(found, rows, page);
      const species = await Promise.all(
        listed.map(async (one) => ({
          ...toBird(one, hub),
          visits: one.visits,
          last_seen: one.visits ? await lastSeen(one.id, hub) : null,
        })),
      );
      return { value: { species, next_cursor: next } };
    },
  }),
  tool({
    name: 'species_story',
    title: 'The story of a species',
    description:
      'Returns statistics of one species at this hub: visits of the last day, week and month and in total, ' +
      'first and last time, hours of the day, months of the year, and the weather and food of its visits.',
    scope: 'read',
    annotations: readOnlyHints,
    input: Type.Object({ species: speciesInput }),
    output: Type.Object({
      species: Bird,
      about: orNull(Type.String(), 'Description of the species, if available'),
      total_visits: number('Total number of visits'),
      visits_24h: number('Number of visits in the last 24 hours'),
      visits_7d: number('Number of visits in the last 7 days'),
      visits_30d: number('Number of visits in the last 30 days'),
      heard_only: Type.Boolean({ description: 'Whether the species was only heard and never seen' }),
      first_time: orNull(Type.String(), 'Start of the first visit, with UTC offset'),
      last_time: orNull(Type.String(), 'End of the last visit, with UTC offset'),
      visits_by_hour: Type.Array(Type.Number(), {
        description: 'Number of visits in the last 30 days for each hour of the day',
      }),
      visits_by_month: Type.Array(Type.Number(), {
        description:
          'Number of visits in each month over all years, starting with January; ' +
          'empty for a family or a genus',
      }),
      weather: Type.Array(
        Type.Object({
          temperature: number('Temperature in °C'),
          clouds: number('Cloud cover in percent'),
          visits: number('Number of visits'),
        }),
        { description: 'Most frequent weather of the recent visits' },
      ),
      food: Type.Array(
        Type.Object({ name: text('Name of the food on offer'), visits: number('Number of visits') }),
      ),
    }),
    async run({ species }, hub) {
      const { species_id } = await findSpecies(hub, species);
      return { value: await describeSpecies(species_id, hub) };
    },
  }),
  tool({
    name: 'region_news',
    title: 'Birds of the region',
    description:
      'Compares the birds that eBird users report in the region with this hub: which of them came here, ' +
      'and which are still missing.',
    scope: 'read',
    annotations: { readOnlyHint: true, openWorldHint: true },
    input: Type.Object({}),
    output: Type.Object({
      region: orNull(Type.String(), 'Code of the region at eBird'),
      here: Type.Array(Type.String(), { description: 'Species reported in the region that came here' }),
      missing: Type.Array(Type.String(), {
        description: 'Most reported species of the region that did not come here',
      }),
      only_here: Type.Array(Type.String(), {
        description: 'Species that came here but were not reported in the region',
      }),
      message: text('Human-readable summary'),
    }),
    async run(_input, hub) {
      const found = await hub.get('/api/ui/region-comparison');
      const { configured, stale, matchedSpecies = [], regionTop = [], onlyHere = [] } = found;
      const names = (list: string[], max: number) => list.slice(0, max).map((name) => hub.nameOf(name));
      const isMissing = (name: string) => !matchedSpecies.includes(name);
      const counted = `${found.matchCount} of ${found.regionTopCount} birds that were reported in the region came here.`;
      const late = stale ? ' eBird is not responding; this is its last known result.' : '';
      return {
        value: {
          region: configured ? (found.regionCode ?? null) : null,
          here: names(matchedSpecies, maxRows),
          missing: names(regionTop.filter(isMissing), defaultRows),
          only_here: names(onlyHere, defaultRows),
          message: configured
            ? counted + late
            : 'The hub has no eBird API key. The administrator can set one in Settings → eBird.',
        },
      };
    },
  }),
];

interface ListedSpecies {
  readonly id: number;
  readonly name: string;
  readonly scientific_name: string | null;
  readonly visits: number;
}

interface Weather {
  readonly temp: number;
  readonly clouds: number;
  readonly visits: number;
}

async function lastSeen(species: number, hub: HubCalls): Promise<string | null> {
  const { stats } = await hub.get(`/api/ui/species/${species}/summary`);
  const { last_sighting: last } = stats.timeRange;
  return last ? hub.local(last) : null;
}

/** Returns the description and statistics of a species. @throws HubCallError */
export async function describeSpecies(species: number | string, hub: HubCalls) {
  const [{ species: found, stats }, calendar] = await Promise.all([
    hub.get(`/api/ui/species/${encodeURIComponent(species)}/summary`, { lang: hub.language }),
    hub.get('/api/ui/migration-calendar', { catalog: 'observed' }),
  ]);
  const months = calendar.species.find(({ id }: { id: number }) => id === found.id)?.monthly_counts;
  const { first_sighting: first, last_sighting: last } = stats.timeRange;
  return {
    species: toBird(found, hub),
    about: found.description,
    total_visits: stats.total_visits,
    visits_24h: stats.visits.visits_24h,
    visits_7d: stats.visits.visits_7d,
    visits_30d: stats.visits.visits_30d,
    heard_only: stats.heard_only,
    first_time: first ? await hub.local(first) : null,
    last_time: last ? await hub.local(last) : null,
    visits_by_hour: stats.hourlyVisits,
    visits_by_month: months ?? [],
    weather: (stats.weather as Weather[])
      .slice(0, maxWeathers)
      .map(({ temp: temperature, clouds, visits }) => ({ temperature, clouds, visits })),
    food: stats.food.map(({ name, count: visits }: { name: string; count: number }) => ({ name, visits })),
  };
}
