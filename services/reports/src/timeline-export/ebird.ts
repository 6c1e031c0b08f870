import type { Settings } from '@birdhub/domain/settings';
import { readNameMapping, speciesKey } from '@birdhub/domain/species';
import { localDay, localTime, minuteMs } from '@birdhub/shared/time';
import { findPlace } from '../science-export/publication.js';
import type { Sighting } from './export.store.js';

/** The settings for the columns on place and protocol, which are equal in all rows. */
export type EbirdSettings = Pick<Settings, 'ebird' | 'general' | 'secrets'>;

/** What an export for eBird may say. */
interface EbirdLimits {
  /** Whether the caller may see the exact location of the hub. */
  readonly isUnlocked: boolean;
  /** Whether filters leave out birds. */
  readonly isFiltered: boolean;
}

/** Returns the settings for an export, with the location as published in exports for science for locked callers. */
export function limitEbird(settings: Settings, { isUnlocked, isFiltered }: EbirdLimits): EbirdSettings {
  const { ebird, general, secrets } = settings;
  const place = isUnlocked ? secrets : findPlace(settings);
  return {
    general,
    ebird: { ...ebird, complete_checklist: ebird.complete_checklist && !isFiltered },
    secrets: {
      ...secrets,
      latitude: `${place?.latitude ?? ''}`,
      longitude: `${place?.longitude ?? ''}`,
    },
  };
}

/** The sightings of a calendar day at one place; instants in ms since the epoch. */
export interface Checklist {
  /** `YYYY-MM-DD` in the hub's zone. */
  readonly day: string;
  start: number;
  end: number;
  readonly species: Map<string, ChecklistSpecies>;
}

/** A species of a checklist, with its maximum number of simultaneous birds. */
interface ChecklistSpecies {
  readonly name: string;
  scientificName: string | null;
  count: number;
  /** Number of visits with a detection by picture. */
  seen: number;
  /** Number of visits found by sound only. */
  heard: number;
}

/** Returns sightings in eBird's record format, as one text, because its length must be known before sending. */
export async function toEbird(
  slices: AsyncIterable<readonly Sighting[]>,
  settings: EbirdSettings,
): Promise<Buffer> {
  const names = readNameMapping(settings.ebird.species_mapping);
  const nameOf = (name: string) => names.get(speciesKey(name)) ?? name;
  const checklists = await toChecklists(slices, settings.general.timezone, nameOf);
  return Buffer.from(checklists.map((checklist) => ebirdRecords(checklist, settings)).join(''));
}

/** Groups sightings into one checklist for each calendar day of a zone; `nameOf` maps a species to eBird's name. */
export async function toChecklists(
  slices: AsyncIterable<readonly Sighting[]>,
  zone: string,
  nameOf: (name: string) => string,
): Promise<Checklist[]> {
  const checklists = new Map<string, Checklist>();
  for await (const sightings of slices) {
    for (const sighting of sightings) {
      const { start, end } = sighting;
      const day = localDay(zone, start);
      const checklist = checklists.get(day) ?? { day, start, end, species: new Map() };
      checklists.set(day, checklist);
      addSighting(checklist, { ...sighting, name: nameOf(sighting.name) });
    }
  }
  return [...checklists.values()].sort((one, other) => one.day.localeCompare(other.day));
}

function addSighting(checklist: Checklist, sighting: Sighting): void {
  const { name, scientificName, count, start, end, isHeard } = sighting;
  checklist.start = Math.min(checklist.start, start);
  checklist.end = Math.max(checklist.end, end);
  const listed = checklist.species.get(name) ?? { name, scientificName, count, seen: 0, heard: 0 };
  checklist.species.set(name, listed);
  listed.count = Math.max(listed.count, count);
  listed[isHeard ? 'heard' : 'seen'] += 1;
  listed.scientificName ??= scientificName;
}

const maxNameLength = 64;

/**
 * Returns the rows of a checklist in eBird's record format: 19 columns without quotes, one row per species, by name.
 */
export function ebirdRecords(checklist: Checklist, settings: EbirdSettings): string {
  const species = [...checklist.species.values()].sort((one, other) => one.name.localeCompare(other.name));
  // Skips names that consist of unsupported characters only.
  const named = species.filter(({ name }) => textField(name, maxNameLength) !== '');
  return named.map((one) => `${toRow(one, checklist, settings)}\r\n`).join('');
}

function toRow(species: ChecklistSpecies, checklist: Checklist, settings: EbirdSettings): string {
  const { ebird, general, secrets } = settings;
  const [genus = '', ...rest] = (species.scientificName ?? '').split(/\s+/);
  return [
    textField(species.name, maxNameLength),
    textField(genus, 32),
    textField(rest.join(' '), 64),
    species.count,
    commentOn(species),
    textField(ebird.location_name || general.app_name, 60),
    field(secrets.latitude, 12),
    field(secrets.longitude, 12),
    dateOf(checklist.day),
    localTime(general.timezone, checklist.start),
    stateOf(ebird),
    field(ebird.country.toUpperCase(), 2),
    textField(ebird.protocol, 50),
    1,
    minutesOf(checklist),
    ebird.complete_checklist ? 'Y' : 'N',
    '',
    '',
    textField(`Recorded by ${general.app_name}`, 8_000),
  ].join(',');
}

/** Returns how a species was found. */
function commentOn({ seen, heard }: ChecklistSpecies): string {
  const visits = `${seen} ${seen === 1 ? 'visit' : 'visits'} to a feeder camera`;
  const calls = `heard ${heard === 1 ? 'once' : `${heard} times`} by a microphone`;
  return [...(seen ? [visits] : []), ...(heard ? [calls] : [])].join('; ');
}

/** Returns a field of eBird's record format, which has no quotes. */
function field(value: string, maxLength: number): string {
  return value
    .replace(/[\s",\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, maxLength)
    .trim();
}

/** Returns a free-text field, neutralised against formula injection, also behind what {@link field} removes. */
const textField = (value: string, maxLength: number) =>
  field(value.replace(/^[\s",\p{Cc}=+@-]+/u, ''), maxLength);

/** Returns the part of `US-NY` after the country, as required by eBird; empty for a name such as `New York`. */
function stateOf({ country, state }: Settings['ebird']): string {
  const given = state.trim().toUpperCase();
  const prefix = `${country.toUpperCase()}-`;
  const code = given.startsWith(prefix) ? given.slice(prefix.length) : given;
  return /^[A-Z0-9]{1,3}$/.test(code) ? code : '';
}

function dateOf(day: string): string {
  const [year = '', month = '', date = ''] = day.split('-');
  return `${month}/${date}/${year}`;
}

const maxMinutes = 1_440;

function minutesOf({ start, end }: Checklist): number {
  return Math.min(maxMinutes, Math.max(1, Math.round((end - start) / minuteMs)));
}
