import { Type } from 'typebox';
import type { HubCalls } from './hub-calls.js';
import {
  Bird,
  cursor,
  defaultRows,
  findSpecies,
  type HubTool,
  ignoreRefused,
  limit,
  maxRows,
  nextCursor,
  number,
  orNull,
  pageOf,
  reading,
  speciesInput,
  text,
  toBird,
  tool,
} from './tool.js';

/** Maximum number of weather conditions in a description, most visits first. */
const maxWeathers = 5;

/** Tools for species. */
export const speciesTools: readonly HubTool[] = [
  tool({
    name: 'find_species',
    title: 'Find a species',
    description: 'Finds species of this hub by a part of a name, those with most visits first.',
    scope: 'read',
    annotations: reading,
    input: Type.Object({
      text: Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'A part of a name, or a label of a detector',
      }),
      limit,
      cursor,
    }),
    output: Type.Object({
      species: Type.Array(
        Type.Object({
          ...Bird.properties,
          visits: number('Visits ever'),
          last_seen: orNull(Type.String(), 'End of the last visit, with offset'),
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
      'Numbers of one species here: visits of the last day, week and month and ever, first and last time, hours of the day, ' +
      'months of the year, weather and food of its visits.',
    scope: 'read',
    annotations: reading,
    input: Type.Object({ species: speciesInput }),
    output: Type.Object({
      species: Bird,
      about: orNull(Type.String(), 'A description, where there is one'),
      total_visits: number('Visits ever'),
      visits_24h: number('In the last day'),
      visits_7d: number('In the last week'),
      visits_30d: number('In the last month'),
      heard_only: Type.Boolean({ description: 'Whether it was never seen' }),
      first_time: orNull(Type.String(), 'Start of the first visit, with offset'),
      last_time: orNull(Type.String(), 'End of the last visit, with offset'),
      visits_by_hour: Type.Array(Type.Number(), { description: 'Of the last 30 days, by hour of the day' }),
      visits_by_month: Type.Array(Type.Number(), {
        description: 'Of all years together, January first; empty for a family or a genus',
      }),
      weather: Type.Array(
        Type.Object({ temperature: number('°C'), clouds: number('%'), visits: number('Visits') }),
        { description: 'In which it came most of late' },
      ),
      food: Type.Array(Type.Object({ name: text('Food on offer'), visits: number('Visits') })),
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
      "Which of the birds that eBird's users report in the region came here, and which are still missing.",
    scope: 'read',
    annotations: { readOnlyHint: true, openWorldHint: true },
    input: Type.Object({}),
    output: Type.Object({
      region: orNull(Type.String(), 'Code of the region at eBird'),
      here: Type.Array(Type.String(), { description: 'Reported in the region, and seen here' }),
      missing: Type.Array(Type.String(), { description: 'Most reported in the region, and not seen here' }),
      only_here: Type.Array(Type.String(), { description: 'Seen here, and not reported in the region' }),
      message: text('What it says'),
    }),
    async run(_input, hub) {
      const found = await hub.get('/api/ui/region-comparison');
      const { configured, stale, matchedSpecies = [], regionTop = [], onlyHere = [] } = found;
      const names = (list: string[], max: number) => list.slice(0, max).map((name) => hub.nameOf(name));
      const isMissing = (name: string) => !matchedSpecies.includes(name);
      const counted = `${found.matchCount} of ${found.regionTopCount} birds that were reported in the region came here.`;
      const late = stale ? ' eBird does not respond now; this is its last answer.' : '';
      return {
        value: {
          region: configured ? (found.regionCode ?? null) : null,
          here: names(matchedSpecies, maxRows),
          missing: names(regionTop.filter(isMissing), defaultRows),
          only_here: names(onlyHere, defaultRows),
          message: configured
            ? counted + late
            : 'The hub has no key of eBird. The administrator can set one in Settings → eBird.',
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

/** Returns everything the hub knows about a species. @throws HubCallError */
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
