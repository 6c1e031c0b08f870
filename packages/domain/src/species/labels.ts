import { normaliseSpeciesName, speciesKey } from './species-names.js';

/** A detector's label, taken apart. */
export interface LabelReading {
  /** Key of the label as a whole. */
  readonly key: string;
  /** What the bird is called: for a new species without any other knowledge. */
  readonly name: string;
  /** Of a label that has both a scientific and a common name. */
  readonly pair: LabelPair | undefined;
  /** Keys that the bird may be known by, the best first, without those of the pair. */
  readonly keys: readonly string[];
  /** Scientific name of the species, when the label seems to name a subspecies. */
  readonly binomialKey: string | undefined;
  /** Keys without words that may say sex, age or season, and may belong to the name. */
  readonly looseKeys: readonly LooseKey[];
  /** Sex, age and season as the label has them, in lower case. */
  readonly plumage: string | null;
}

/** Both names of a label. */
export interface LabelPair {
  readonly scientificName: string;
  readonly commonName: string;
  readonly scientificKey: string;
  /** Of the common name, before it that of the form, when brackets name one. */
  readonly commonKeys: readonly string[];
}

/** A key and the words that were left out for it. */
export interface LooseKey {
  readonly key: string;
  readonly plumage: string;
}

/** Words that say sex, age or season; no bird has a name that ends with one of them. */
const certain =
  'male|female|adult|subadult|immature|juvenile|fledgling|nestling|chick|nonbreeding|breeding|eclipse';
/** Further words of the kind, which may also be part of a name (Winter Wren). */
const possible = 'non|winter|summer|spring|autumn|fall|plumage|morph|dark|light|first|year|m|f|and|or';

const onlyPlumage = new RegExp(`^(?:(?:${certain}|${possible})(?:[ /,&_-]+|$))+$`, 'iu');
const plumageStart = new RegExp(`^(?:(?:${certain}|non|winter|summer)(?:[ /,&_-]+))+`, 'iu');
const certainEnd = new RegExp(`(?:(?:[ /,_-]|^)+(?:${certain}))+$`, 'iu');
const certainStart = new RegExp(`^(?:(?:${certain})(?:[ /,_-]+|$))+`, 'iu');
const possibleEnd = new RegExp(`(?: (?:${certain}|${possible}))+$`, 'u');

const indexBefore = /^(?:n\d{8}|\d+)(?:\s*[.:;_-]\s*|\s+)(?=\p{L})/u;
const indexAfter = /(?<=\p{L}[)\]]?)[\s_]*(?:#\d+|[:;=]\s*\d+(?:\.\d+)?%?)$/u;
const withBrackets = /^(.+?)[\s_]*[([]([^()[\]]*)[)\]]$/u;
const binomial = /^[A-Z][a-z]+(?: [a-z]+(?:-[a-z]+)?){1,2}$/u;
const latinEnd = /(?:us|a|um|is|e|i|ae|ans|ens|er|or|os|on|ix|ax|ex|es|ops|ys|as|o|u|al|ar|yx|anser|x)$/u;
const englishNoun =
  /(?:tit|finch|owl|jay|gull|duck|goose|dove|pigeon|wren|crow|swift|swallow|martin|hawk|eagle|kite|falcon|tern|rail|crane|heron|egret|stork|thrush|robin|warbler|pipit|lark|sparrow|bunting|starling|woodpecker|cuckoo|bird|chat|flycatcher|hen|teal|swan|grebe|loon|parrot|parakeet|shrike|oriole|magpie|creeper|nuthatch|kestrel|buzzard|vulture|hummingbird)s?$/u;

/** The characters of labels; other texts are not taken apart. */
const ordinary = /^(?![./])[\p{L}\p{M}\p{N}\s'\u2018\u2019\u02bb\u00b4`.,()[\]/_&#:;%|-]+$/u;

/** Takes a label apart: model indices, pairs, brackets, inverted names, and words for sex, age and season. */
export function readLabel(label: string): LabelReading {
  const spelled = normaliseSpeciesName(label);
  if (!ordinary.test(withoutIndex(spelled))) return unread(spelled);
  const { text, plumage: before } = takePlumage(withoutIndex(spelled));
  const parts = readPath(text) ?? readPair(text);
  if (parts?.scientific !== undefined)
    return pairReading(spelled, { ...parts, scientific: parts.scientific }, before);
  const { name, keys, plumage } = readName(parts?.common ?? text);
  return {
    key: speciesKey(spelled),
    name: tidy(name) || spelled,
    pair: undefined,
    keys: unique(keys),
    binomialKey: firstTwo(name),
    looseKeys: looseKeysOf(keys),
    plumage: joinPlumage(before, plumage),
  };
}

/** Of a text that is no label of birds: it stays as it is. */
function unread(spelled: string): LabelReading {
  const key = speciesKey(spelled);
  return {
    key,
    name: spelled,
    pair: undefined,
    keys: [key],
    binomialKey: undefined,
    looseKeys: [],
    plumage: null,
  };
}

function pairReading(spelled: string, { scientific, common }: PairParts, before: string): LabelReading {
  const { text, plumage: ofScientific } = takePlumage(scientific);
  const { name, keys, plumage } = readName(common);
  const [genus = '', ...epithets] = tidy(text).split(' ');
  const scientificName = [genus.charAt(0).toUpperCase() + genus.slice(1).toLowerCase(), ...epithets].join(
    ' ',
  );
  const scientificKey = speciesKey(scientificName);
  const commonName = tidy(name);
  return {
    key: speciesKey(spelled),
    name: commonName || scientificName,
    pair: { scientificName, commonName, scientificKey, commonKeys: unique(keys) },
    keys: [],
    binomialKey: firstTwo(scientificName),
    looseKeys: looseKeysOf(keys),
    plumage: joinPlumage(before, ofScientific, plumage),
  };
}

const unique = (keys: readonly string[]) => [...new Set(keys)].filter((key) => key !== '');
const tidy = (name: string) => normaliseSpeciesName(name.replace(/[_\s]+/gu, ' '));

function withoutIndex(text: string): string {
  const bare = text.replace(indexBefore, '').replace(indexAfter, '');
  return bare === '' ? text : bare;
}

function joinPlumage(...parts: readonly string[]): string | null {
  const words = parts.filter((part) => part !== '').join(' ');
  return words === '' ? null : words.toLowerCase().slice(0, maxPlumageLength);
}

/** Longest plumage that is stored. */
const maxPlumageLength = 60;

/** Removes words that cannot belong to the name, in brackets at the end and beside the name. */
function takePlumage(text: string): { readonly text: string; readonly plumage: string } {
  const [, outside = '', inside = ''] = withBrackets.exec(text) ?? [];
  if (outside && onlyPlumage.test(inside.trim())) {
    const inner = takePlumage(outside.trim());
    return { text: inner.text, plumage: [inner.plumage, tidy(inside)].filter(Boolean).join(' ') };
  }
  const withoutEnd = text.replace(certainEnd, '');
  const bare = withoutEnd.replace(certainStart, '');
  if (bare === text || !/\p{L}/u.test(bare)) return { text, plumage: '' };
  const after = text.slice(withoutEnd.length);
  const before = withoutEnd.slice(0, withoutEnd.length - bare.length);
  const words = `${before} ${after}`.replace(/[\s_/,-]+/gu, ' ').trim();
  return { text: bare.replace(/[\s_,/-]+$/u, ''), plumage: words };
}

/** Both names of a label. */
interface PairParts {
  readonly scientific: string;
  readonly common: string;
}

/** One name of a label, or both. */
interface LabelParts {
  readonly scientific?: string;
  readonly common: string;
}

/**
 * Reads labels that give the whole classification: `04097_Animalia_Chordata_Aves_Passeriformes_Paridae_Parus_major`
 * and `…;aves;passeriformes;paridae;parus;major;great tit`.
 */
function readPath(text: string): LabelParts | undefined {
  const cells = text.split(';').map((cell) => cell.trim());
  if (cells.length >= 6) {
    const [family, genus, species, common] = cells.slice(-4);
    const scientific = genus && species ? `${genus} ${species}` : '';
    if (scientific && common) return { scientific, common };
    return { common: common || scientific || genus || family || text };
  }
  const steps = text.split('_');
  const at = steps.indexOf('Aves');
  return at >= 0 && steps.length > at + 3 ? { common: steps.slice(at + 3).join(' ') } : undefined;
}

/** Reads labels that have both names, in either order. */
function readPair(text: string): LabelParts | undefined {
  const [first = '', second = '', ...more] = splitPair(text).map((part) => part.trim());
  if (first && second && !more.length) {
    if (speciesKey(first) === speciesKey(second)) return { common: first };
    const parts = orderPair(first, second);
    if (parts) return parts;
  }
  const [, outside = '', inside = ''] = withBrackets.exec(text) ?? [];
  const parts = outside && orderPair(outside.replace(/_/gu, ' ').trim(), inside.replace(/_/gu, ' ').trim());
  return parts || readList(text);
}

function splitPair(text: string): string[] {
  for (const mark of ['_', ' | ', '|', ' / ', ' - ', ' – ']) {
    const parts = text.split(mark);
    if (parts.length === 2) return parts;
  }
  return [];
}

/** `brambling, Fringilla montifringilla` */
function readList(text: string): PairParts | undefined {
  const names = text.split(',').map((part) => part.trim());
  const last = names.at(-1) ?? '';
  const [first = ''] = names;
  return names.length > 1 && binomial.test(last) && first ? { scientific: last, common: first } : undefined;
}

/** Returns which of two names is the scientific one; undefined when none is. */
function orderPair(first: string, second: string): PairParts | undefined {
  const [one, other] = [latinScore(first), latinScore(second)];
  if (one === 0 && other === 0) return undefined;
  return one >= other ? { scientific: first, common: second } : { scientific: second, common: first };
}

/** Returns how much a name looks like a scientific one; 0 when it cannot be one. */
function latinScore(name: string): number {
  const bare = takePlumage(name).text;
  if (!binomial.test(bare)) return 0;
  if (englishNoun.test(bare)) return 1;
  const words = bare.split(' ');
  return 2 + words.filter((word) => latinEnd.test(word)).length / words.length;
}

interface ReadName {
  readonly name: string;
  readonly keys: readonly string[];
  readonly plumage: string;
}

/** Reads a single name: brackets for a form, and names as registers sort them. */
function readName(given: string): ReadName {
  const { text, plumage } = takePlumage(given);
  const [, outside = '', inside = ''] = withBrackets.exec(text) ?? [];
  if (!outside)
    return { name: uninverted(text), keys: [speciesKey(text), speciesKey(uninverted(text))], plumage };
  const outer = uninverted(outside);
  const started = inside.match(plumageStart)?.[0] ?? '';
  const form = inside.slice(started.length).trim();
  const words = [plumage, tidy(started).replace(/[/,&-]+$/u, '')].filter(Boolean).join(' ');
  const group = outer.split(/[\s_]/u).at(-1) ?? outer;
  const formName = !form ? '' : form.toLowerCase().endsWith(group.toLowerCase()) ? form : `${form} ${group}`;
  const keys = [speciesKey(text), ...(formName ? [speciesKey(formName)] : []), speciesKey(outer)];
  return { name: outer, keys, plumage: words };
}

/** `Tit, Great` and `Junco, Dark-eyed` */
function uninverted(name: string): string {
  const [noun = '', adjective = '', ...more] = name.split(',').map((part) => part.trim());
  return noun && adjective && !more.length ? `${adjective} ${noun}` : name;
}

function looseKeysOf(keys: readonly string[]): LooseKey[] {
  return keys.flatMap((key) => {
    const words = key.replace(/[/,() ]+/gu, ' ').trim();
    const bare = words.replace(possibleEnd, '');
    if (bare === words || bare === '') return [];
    return [{ key: bare, plumage: words.slice(bare.length).trim() }];
  });
}

/** Returns the key of the first two of three words that may be the name of a subspecies, or a pair run together. */
function firstTwo(name: string): string | undefined {
  const words = tidy(name).split(' ');
  const [genus = '', epithet = ''] = words;
  if (words.length < 3 || !/^[A-Za-z]+$/u.test(genus) || !/^[a-z-]+$/u.test(epithet)) return undefined;
  return speciesKey(`${genus} ${epithet}`);
}
