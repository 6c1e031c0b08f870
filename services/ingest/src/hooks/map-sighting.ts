import {
  compileHookPattern,
  type HookField,
  type HookMapping,
  hookFields,
  isNameField,
} from '@birdhub/domain/settings';
import { parseInstant } from '@birdhub/shared/time';
import { checkLength } from '../recordings/recording-body.js';
import { maxLengths } from '../sightings/sightings.schema.js';
import {
  type Converted,
  problemOf,
  toConfidence,
  toCount,
  toInstantText,
  toName,
  toNote,
  toPicture,
  toText,
  type ValueProblem,
} from './field-values.js';
import type { MappedSighting } from './hooks.schema.js';
import { readPointer } from './pointed-value.js';

/** Why a field of a sighting is missing. */
export interface MappingProblem extends ValueProblem {
  readonly field: string;
  /** The pointer of the mapping. */
  readonly pointer: string | undefined;
  /** Whether no sighting can be created because of it. */
  readonly isFatal: boolean;
}

/** The sighting, unless a problem is fatal, and all problems. */
export interface MappedResult {
  readonly sighting: MappedSighting | undefined;
  readonly problems: readonly MappingProblem[];
}

interface Found {
  readonly value: unknown;
  readonly pointer: string | undefined;
}

/** Maximum length of a text that a pattern is applied to. */
const maxPatternText = 10_000;

/** Maps a posted body to a sighting; `zone` applies to times without an offset. */
export async function mapSighting(mapping: HookMapping, body: unknown, zone: string): Promise<MappedResult> {
  const problems: MappingProblem[] = [];
  const note = (field: string, pointer: string | undefined, problem: ValueProblem, isFatal: boolean) =>
    void problems.push({ field, pointer, ...problem, isFatal });
  const matched = await matchText(mapping, body, (problem, isFatal) =>
    note('pattern', mapping.text, problem, isFatal),
  );

  function find(field: HookField): Found | undefined {
    const pointer = mapping[field];
    const value = pointer === undefined ? undefined : readPointer(body, pointer);
    if (!isEmpty(value)) return { value, pointer };
    const group = matched?.[field];
    if (group !== undefined) return { value: group, pointer: mapping.text };
    if (pointer !== undefined) note(field, pointer, problemOf('nothing_there'), false);
    return undefined;
  }

  function read<T>(
    field: HookField,
    convert: (value: unknown) => Converted<T>,
    isFatal = true,
  ): T | undefined {
    const found = find(field);
    if (!found) return undefined;
    const converted = convert(found.value);
    if ('value' in converted) return converted.value;
    note(field, found.pointer, converted.problem, isFatal);
    return undefined;
  }

  /** Reads a field without which a sighting is still worth storing. */
  const readOptional = <T>(field: HookField, convert: (value: unknown) => Converted<T>) =>
    read(field, convert, false);

  const common = read('species_name', toName);
  const scientific = read('scientific_name', toName);
  const name = joinNames(common, scientific);
  const isNamed = name !== undefined || problems.some(({ field, isFatal }) => isFatal && isNameField(field));
  if (!isNamed) note('species_name', mapping.species_name ?? mapping.text, problemOf('name_not_found'), true);
  const time = read('time', (value) => toInstantText(value, zone));
  const values = {
    time,
    end_time: readOptional('end_time', (value) => toEnd(value, time, zone)),
    confidence: read('confidence', toConfidence),
    camera_id: read('camera', (value) => toText(value, maxLengths.camera)) || mapping.camera_id || undefined,
    source: mapping.source,
    count: readOptional('count', toCount),
    note: readOptional('note', toNote),
    id: read('id', (value) => toText(value, maxLengths.id)),
    ...readOptional('image', toPicture),
  };
  if (name === undefined || problems.some(({ isFatal }) => isFatal)) return { sighting: undefined, problems };
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return { sighting: { species_name: name, ...Object.fromEntries(given) }, problems };
}

/** Whether a hook drops a sighting because of its confidence; one without a confidence is kept. */
export function isTooUncertain(
  { min_confidence = 0 }: HookMapping,
  { confidence = 1 }: MappedSighting,
): boolean {
  return confidence < min_confidence;
}

/** Whether a mapping has no pointer at all. */
export function isEmptyMapping(mapping: HookMapping): boolean {
  return mapping.text === undefined && hookFields.every((field) => mapping[field] === undefined);
}

const isEmpty = (value: unknown) =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** Accepts a time at most a day after the start. */
function toEnd(value: unknown, time: string | undefined, zone: string): Converted<string> {
  const converted = toInstantText(value, zone);
  if ('problem' in converted) return converted;
  const [start, end] = [parseInstant(time ?? ''), parseInstant(converted.value)];
  if (start === undefined || end === undefined) return { problem: problemOf('both_ends', { other: 'time' }) };
  const { path: _, ...problem } = checkLength(start, end, 'time') ?? { path: undefined };
  return 'message' in problem ? { problem } : converted;
}

/** Joins two names in the form of detectors; the hub finds the species by either. */
function joinNames(common: string | undefined, scientific: string | undefined): string | undefined {
  const isPair =
    common !== undefined &&
    scientific !== undefined &&
    common !== scientific &&
    !/[()]/.test(common + scientific);
  const pair = `${common} (${scientific})`;
  return isPair && pair.length <= maxLengths.name ? pair : (common ?? scientific);
}

async function matchText(
  { text: pointer, pattern }: HookMapping,
  body: unknown,
  note: (problem: ValueProblem, isFatal: boolean) => void,
): Promise<Readonly<Record<string, string>> | undefined> {
  if (pointer === undefined || !pattern) return undefined;
  const text = readPointer(body, pointer);
  if (typeof text !== 'string') {
    note(problemOf('text_not_found'), false);
    return undefined;
  }
  if (text.length > maxPatternText) {
    note(problemOf('pattern_text_long', { limit: maxPatternText }), true);
    return undefined;
  }
  const groups = (await compileHookPattern(pattern))(text);
  if (!groups) note(problemOf('pattern_unmatched'), false);
  return groups;
}
