import type { HookField, HookMapping } from '@birdhub/domain/settings';
import { escapePointer } from '@birdhub/shared/validation';
import {
  type Converted,
  problemOf,
  toConfidence,
  toCount,
  toInstantText,
  toName,
  toPicture,
  toText,
} from './field-values.js';
import { parseJsonText } from './pointed-value.js';

interface Leaf {
  readonly pointer: string;
  /** The last key of the path that is not an index, in lower-case letters and digits. */
  readonly name: string;
  readonly depth: number;
  readonly value: string | number;
}

interface FieldHints {
  /** Names of keys, most likely first. */
  readonly names: readonly string[];
  readonly convert: (value: unknown) => Converted<unknown>;
}

/** Accepts the name of a bird, but not a number or an address. */
const toBird = (value: unknown): Converted<string> =>
  typeof value === 'string' && /\p{L}{2}/u.test(value) && !/^https?:|[{}[\]\n]/.test(value)
    ? toName(value)
    : { problem: problemOf('plain_name') };

const fieldHints: Readonly<Record<HookField, FieldHints>> = {
  species_name: {
    names: [
      'speciesname',
      'commonname',
      'comname',
      'species',
      'sublabel',
      'displayname',
      'birdname',
      'bird',
      'prediction',
      'classname',
      'label',
    ],
    convert: toBird,
  },
  scientific_name: { names: ['scientificname', 'sciname', 'scientific', 'latinname'], convert: toBird },
  time: {
    names: [
      'time',
      'timestamp',
      'datetime',
      'begintime',
      'starttime',
      'detectiontime',
      'detectedat',
      'date',
      'ts',
      'createdat',
    ],
    convert: (value) => toInstantText(value, 'UTC'),
  },
  end_time: { names: ['endtime', 'end', 'endedat'], convert: (value) => toInstantText(value, 'UTC') },
  confidence: {
    names: [
      'confidence',
      'sublabelscore',
      'score',
      'probability',
      'certainty',
      'topscore',
      'confidencepercent',
      'confidencepct',
    ],
    convert: toConfidence,
  },
  camera: {
    names: ['cameraid', 'camera', 'cameraname', 'sourcename', 'station', 'sourcenode', 'device'],
    convert: (value) => toText(value, 64),
  },
  image: {
    names: [
      'image',
      'imageurl',
      'imagebase64',
      'snapshot',
      'snapshoturl',
      'picture',
      'photo',
      'thumbnail',
      'base64',
    ],
    convert: toPicture,
  },
  note: { names: ['note', 'comment', 'description'], convert: (value) => toText(value, 1_000) },
  count: { names: ['count', 'birds', 'quantity'], convert: toCount },
  id: { names: ['id', 'eventid', 'detectionid', 'uuid'], convert: (value) => toText(value, 200) },
};

/** Finds `Great Tit (Parus major) 0.93` and the like in a text. */
const namePattern =
  "(?<species_name>\\p{L}[\\p{L}'’. -]*\\p{L}) \\((?<scientific_name>\\p{Lu}\\p{Ll}+ \\p{Ll}+(?: \\p{Ll}+)?)\\)" +
  '(?:\\D{0,40}(?<confidence>\\d+(?:[.,]\\d+)?\\s*%?))?';
const nameShape = /\p{L} \(\p{Lu}\p{Ll}+ \p{Ll}+(?: \p{Ll}+)?\)/u;

/** Suggests pointers to fields of a sighting in an example, by the names of its keys. */
export function suggestMapping(example: unknown): HookMapping {
  const leaves = listLeaves(example);
  const bird = findBest(leaves, fieldHints.species_name) ?? findBest(leaves, fieldHints.scientific_name);
  const ownLeaves = leaves.filter(
    (leaf) => leaf.name !== 'id' || (bird && parentOf(leaf) === parentOf(bird)),
  );
  const found = Object.entries(fieldHints).flatMap(([field, kind]) => {
    const best = findBest(ownLeaves, kind);
    return best ? [[field, best.pointer] as const] : [];
  });
  const source = leaves.find(
    ({ name, pointer }) => name === 'id' && /\/(?:source|camera)\/[^/]+$/i.test(pointer),
  );
  const mapping: HookMapping = {
    ...(leaves.some(isOfBirdNet) && { source: 'audio' }),
    ...(source && { camera: source.pointer }),
    ...Object.fromEntries(found),
  };
  if (mapping.species_name !== undefined || mapping.scientific_name !== undefined) return mapping;
  const text = leaves.find(({ value }) => typeof value === 'string' && nameShape.test(value));
  return text ? { ...mapping, text: text.pointer, pattern: namePattern } : mapping;
}

/** Whether a leaf has a name that only BirdNET programs use, or mentions BirdNET. */
const isOfBirdNet = ({ name, value }: Leaf) =>
  ['sourcenode', 'clipname', 'comname', 'sciname'].includes(name) || /birdnet/i.test(String(value));

/**
 * Returns the pointer of the parent object. An id in another object identifies something else and would merge all
 * sightings into one.
 */
function parentOf({ pointer }: Leaf): string {
  const keys = pointer.split('/');
  while (/^\d+$/.test(keys.at(-1) ?? '')) keys.pop();
  return keys.slice(0, -1).join('/');
}

/** Prefers the most likely name, then the shallowest leaf. */
function findBest(leaves: readonly Leaf[], { names, convert }: FieldHints): Leaf | undefined {
  for (const name of names) {
    const fitting = leaves.filter((leaf) => leaf.name === name && 'value' in convert(leaf.value));
    const [best] = fitting.sort((one, other) => one.depth - other.depth);
    if (best) return best;
  }
  return undefined;
}

const maxLeaves = 2_000;
const maxDepth = 12;

/** Lists texts and numbers, including those within texts that are JSON. */
function listLeaves(example: unknown): Leaf[] {
  const leaves: Leaf[] = [];
  const visit = (value: unknown, pointer: string, name: string, depth: number): void => {
    if (leaves.length >= maxLeaves || depth > maxDepth) return;
    const inner = typeof value === 'string' ? (parseJsonText(value) ?? value) : value;
    if (typeof inner === 'string' || typeof inner === 'number') {
      leaves.push({ pointer, name, depth, value: inner });
      return;
    }
    if (typeof inner !== 'object' || inner === null) return;
    const isList = Array.isArray(inner);
    for (const [key, part] of Object.entries(inner)) {
      const plain = isList ? name : key.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
      visit(part, `${pointer}/${escapePointer(key)}`, plain, depth + 1);
    }
  };
  visit(example, '', '', 0);
  return leaves;
}
