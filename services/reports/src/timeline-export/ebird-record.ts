import type { Settings } from '@birdhub/domain/settings';
import { offsetMs } from '@birdhub/shared/time';
import type { Checklist, ChecklistSpecies } from './ebird-checklists.js';

/** Where and how the birds were seen, the same in every row. */
export type EbirdPlace = Pick<Settings, 'ebird' | 'general' | 'secrets'>;

const minuteMs = 60_000;
const longestMinutes = 1_440;
const longestName = 64;

/** A field of eBird's record format, which knows no quotes. */
function field(value: string, longest: number): string {
  return value
    .replace(/[\s",\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, longest)
    .trim();
}

/** A field of words, which no spreadsheet takes for a formula. */
const words = (value: string, longest: number) => field(value.replace(/^[\s=+@-]+/u, ''), longest);

/** `New York` and `US-NY` are both ways to say it; eBird wants what follows the country. */
function stateOf({ country, state }: Settings['ebird']): string {
  return state.toUpperCase().startsWith(`${country.toUpperCase()}-`)
    ? state.slice(country.length + 1)
    : state;
}

function dateOf(day: string): string {
  const [year = '', month = '', date = ''] = day.split('-');
  return `${month}/${date}/${year}`;
}

function timeOf(instant: number, zone: string): string {
  return new Date(instant + offsetMs(zone, instant)).toISOString().slice(11, 16);
}

function minutesOf({ start, end }: Checklist): number {
  return Math.min(longestMinutes, Math.max(1, Math.round((end - start) / minuteMs)));
}

function toLine(species: ChecklistSpecies, checklist: Checklist, place: EbirdPlace): string {
  const { ebird, general, secrets } = place;
  const [genus = '', ...rest] = (species.scientificName ?? '').split(/\s+/);
  return [
    words(species.name, longestName),
    words(genus, 32),
    words(rest.join(' '), 64),
    species.count,
    `${species.visits} ${species.visits === 1 ? 'visit' : 'visits'} to a feeder camera`,
    words(ebird.location_name || general.app_name, 60),
    field(secrets.latitude, 12),
    field(secrets.longitude, 12),
    dateOf(checklist.day),
    timeOf(checklist.start, general.timezone),
    words(stateOf(ebird), 3),
    field(ebird.country.toUpperCase(), 2),
    words(ebird.protocol, 50),
    1,
    minutesOf(checklist),
    ebird.complete_checklist ? 'Y' : 'N',
    '',
    '',
    words(`Recorded by ${general.app_name}`, 8_000),
  ].join(',');
}

/** The rows of a checklist in eBird's record format: 19 columns without quotes, one row a species, by name. */
export function ebirdRecords(checklist: Checklist, place: EbirdPlace): string {
  const species = [...checklist.species.values()].sort((one, other) => one.name.localeCompare(other.name));
  // A name that is but marks which eBird does not take leaves nothing to say.
  const named = species.filter(({ name }) => words(name, longestName) !== '');
  return named.map((one) => `${toLine(one, checklist, place)}\r\n`).join('');
}
