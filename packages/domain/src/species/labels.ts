import { normaliseSpeciesName, speciesKey } from './species-names.js';

/** A parsed label of a detector. */
export interface LabelReading {
  /** Key of the entire label. */
  readonly key: string;
  /** The name of the new species if the label is unknown. */
  readonly name: string;
  /** Present when the label has a scientific and a common name. */
  readonly pair: LabelPair | undefined;
  /** Candidate keys, best first, without those of the pair. */
  readonly keys: readonly string[];
  /** Scientific name of the species, if the label seems to be that of a subspecies. */
  readonly binomialKey: string | undefined;
  /** Scientific name of the subspecies as a full species, after a split. */
  readonly splitKey: string | undefined;
  /** Keys that only match known names: without words that may belong to the name, or with another spelling. */
  readonly looseKeys: readonly LooseKey[];
  /** Family, then class, of a label with the full classification. */
  readonly higherKeys: readonly string[];
  /** The same label with swapped names, if either may be the scientific one. */
  readonly reversed: LabelReading | undefined;
  /** Sex, age and season of the label, in lower case. */
  readonly plumage: string | null;
}

/** Both names of a label. */
export interface LabelPair {
  readonly scientificName: string;
  readonly commonName: string;
  readonly scientificKey: string;
  /** Keys of the form in brackets, if any, and of the common name. */
  readonly commonKeys: readonly string[];
}

/** A key and the words on sex, age or season that were removed from it. */
export interface LooseKey {
  readonly key: string;
  readonly plumage: string;
}

/** Words for sex, age and season with which no bird name ends. */
const certain = [
  'male|female|adult|subadult|immature|juvenile|fledgling|nestling|chick|nonbreeding|breeding|eclipse',
  'männchen|weibchen|männlich|weiblich|jungvogel|самец|самка|mâle|femelle|macho|hembra|maschio|femmina',
  'mannetje|vrouwtje|samiec|samica',
].join('|');
/** Words for sex, age and season that may also be part of a name (Winter Wren). */
const possible = [
  'non|winter|summer|spring|autumn|fall|plumage|morph|dark|light|first|second|third|1st|2nd|3rd|year|cycle',
  'juv|imm|subad|ad|m|f|and|or',
].join('|');

const onlyPlumage = new RegExp(`^(?:(?:${certain}|${possible})(?:[ /,&_-]+|$))+$`, 'iu');
const plumageStart = new RegExp(`^(?:(?:${certain}|non|winter|summer)(?:[ /,&_-]+))+`, 'iu');
const certainEnd = new RegExp(`(?:(?:[ /,_-]|^)+(?:${certain}))+$`, 'iu');
const certainStart = new RegExp(`^(?:(?:${certain})(?:[ /,_-]+|$))+`, 'iu');
const possibleEnd = new RegExp(`(?: (?:${certain}|${possible}))+$`, 'u');

const indexBefore = /^(?:n\d{8}|#?\d+|[([]\d+[)\]])(?:\s*[.:;_-]\s*|\s+)(?=\p{L})/u;
/** `#12`, `: 0.93`, `=88`, ` 87%`, ` (0.87)` */
const indexAfter =
  /(?<=\p{L}[)\]]?)[\s_]*(?:#\d+|[:;=]\s*\d+(?:[.,]\d+)?\s*%?|[([]?(?:\d+(?:[.,]\d+)?\s*%|[01]?[.,]\d+)[)\]]?)$/u;
const withBrackets = /^(.+?)[\s_]*[([]([^()[\]]*)[)\]]$/u;
const binomial = /^[A-Z][a-z]+(?: [a-z]+(?:-[a-z]+)?){1,2}$/u;
const latinEnd = /(?:us|a|um|is|e|i|ae|ans|ens|er|or|os|on|ix|ax|ex|es|ops|ys|as|o|u|al|ar|yx|anser|x)$/u;
const englishNoun =
  /(?:tit|finch|owl|jay|gull|duck|goose|dove|pigeon|wren|crow|swift|swallow|martin|hawk|eagle|kite|falcon|tern|rail|crane|heron|egret|stork|thrush|robin|warbler|pipit|lark|sparrow|bunting|starling|woodpecker|cuckoo|bird|chat|flycatcher|hen|teal|swan|grebe|loon|parrot|parakeet|shrike|oriole|magpie|creeper|nuthatch|kestrel|buzzard|vulture|hummingbird)s?$/u;

/** The characters of labels; other texts are not parsed. */
const ordinary = /^(?![./])[×\p{L}\p{M}\p{N}\s'\u2018\u2019\u02bb\u00b4`.,()[\]/_&#:;%|=\u2013\u2014-]+$/u;

/** Last words of texts that only look like a scientific name, such as `(Blue morph)`. */
const noEpithet =
  /\b(?:type|morph|phase|form|race|group|population|variant|plumage|hybrid|intergrade|bird|call|song|nest|box|feeder|flight)s?$/u;

/** A hybrid is neither of its parents. */
const hybrid = /\bhybrid\b|\s[x×]\s/iu;

/** `(Linnaeus, 1758)` after a scientific name. */
const authorship = /^([A-Z][a-z]+(?: [a-z-]+){1,2})[ ,]+\(?\p{Lu}[\p{L}.&' -]*,? \d{4}\)?$/u;

/** Parses a label: model indices, pairs, brackets, inverted names, and words for sex, age and season. */
export function readLabel(label: string): LabelReading {
  const spelled = normaliseSpeciesName(label);
  const bare = withoutIndex(withoutMarks(spelled));
  if (!ordinary.test(bare)) return unread(spelled);
  const { text, plumage: before } = takePlumage(bare);
  const parts = readPath(text) ?? readPair(text);
  if (parts?.scientific !== undefined) {
    const { scientific, common, isUnsure } = parts;
    const reading = pairReading(spelled, { scientific, common }, before);
    if (!isUnsure) return reading;
    return { ...reading, reversed: pairReading(spelled, { scientific: common, common: scientific }, before) };
  }
  const { name, keys, plumage } = readName(parts?.common ?? text);
  const own = unique(keys);
  return {
    ...bareReading(spelled),
    name: tidy(name) || spelled,
    keys: own,
    binomialKey: firstTwo(name),
    splitKey: firstAndThird(name),
    looseKeys: [...looseKeysOf(keys), ...spellingsOf(text, own)],
    higherKeys: parts?.higher ?? [],
    plumage: joinPlumage(before, plumage),
  };
}

/** Returns the reading of a text that is not parsed. */
function unread(spelled: string): LabelReading {
  const reading = bareReading(spelled);
  return { ...reading, keys: [reading.key] };
}

function bareReading(spelled: string): LabelReading {
  return {
    key: speciesKey(spelled),
    name: spelled,
    pair: undefined,
    keys: [],
    binomialKey: undefined,
    splitKey: undefined,
    looseKeys: [],
    higherKeys: [],
    reversed: undefined,
    plumage: null,
  };
}

/** Removes enclosing quotes and a final stop; replaces sex symbols by words and braces by brackets. */
function withoutMarks(text: string): string {
  const bare = text
    .replace(/^["\u201c\u201e]{1,3}|["\u201c\u201d]{1,3}$|(?<=\p{L}{3})[.!?]$/gu, '')
    .replace(/\u2642\ufe0f?/gu, ' male ')
    .replace(/\u2640\ufe0f?/gu, ' female ')
    .replaceAll('{', '(')
    .replaceAll('}', ')');
  return bare === text || !/\p{L}/u.test(bare) ? text : normaliseSpeciesName(bare);
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
    ...bareReading(spelled),
    name: commonName || scientificName,
    pair: { scientificName, commonName, scientificKey, commonKeys: unique(keys) },
    binomialKey: firstTwo(scientificName),
    splitKey: firstAndThird(scientificName),
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

/** Maximum length of a stored plumage. */
const maxPlumageLength = 60;

/** Extracts words that cannot belong to the name, in brackets at the end and next to the name. */
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
  /** Whether either name may be the scientific one: `Passera scopaiola (Prunella modularis)`. */
  readonly isUnsure?: boolean;
}

/** One name of a label, or both. */
interface LabelParts extends Partial<PairParts> {
  readonly common: string;
  readonly higher?: readonly string[];
}

const classKeys: Readonly<Record<string, string>> = {
  aves: 'bird',
  mammalia: 'other animals',
  reptilia: 'other animals',
  amphibia: 'other animals',
  insecta: 'other animals',
};

/**
 * Parses labels with the full classification: `04097_Animalia_Chordata_Aves_Passeriformes_Paridae_Parus_major` and
 * `…;aves;passeriformes;paridae;parus;major;great tit`; ranks above the species may be missing.
 */
function readPath(text: string): LabelParts | undefined {
  const cells = text.split(';').map((cell) => cell.trim());
  if (cells.length >= 6) {
    const [family = '', genus, species, common] = cells.slice(-4);
    const scientific = genus && species ? `${genus} ${species}` : '';
    if (scientific && common) return { scientific, common };
    const higher = [family, classKeys[cells.at(-6) ?? ''] ?? ''].map(speciesKey);
    return { common: common || scientific || genus || family || text, higher: unique(higher) };
  }
  const steps = text.split('_');
  const at = steps.indexOf('Animalia');
  const [, className = '', , family = '', ...names] = at < 0 ? [] : steps.slice(at + 1);
  if (!names.length) return undefined;
  const higher = [family, classKeys[className.toLowerCase()] ?? ''].map(speciesKey);
  return { common: names.join(' '), higher: unique(higher) };
}

/** Parses labels with both names, in either order. */
function readPair(given: string): LabelParts | undefined {
  const text = given.replace(authorship, '$1');
  const [first = '', second = '', ...more] = splitPair(text).map((part) => part.trim());
  if (first && second && !more.length) {
    if (speciesKey(first) === speciesKey(second)) return { common: first };
    const parts = orderPair(first, second);
    if (parts) return parts;
  }
  const [, outside = '', inside = ''] = withBrackets.exec(text) ?? [];
  const parts = outside && orderPair(outside.replace(/_/gu, ' ').trim(), inside.replace(/_/gu, ' ').trim());
  return parts || readList(text) || (text === given ? undefined : { common: text });
}

/** The format of eBird codes. */
const ebirdCode = /^[a-z]{3,8}\d{0,2}$/u;

function splitPair(text: string): string[] {
  const [one = '', other = '', code = '', ...more] = text.split('_');
  if (!more.length && one.includes(' ') && ebirdCode.test(code)) return [one, other];
  for (const mark of ['_', ' | ', '|', ' / ', ' - ', ' – ', ' — ', ';']) {
    const parts = text.split(mark);
    if (parts.length === 2) return parts;
  }
  return [];
}

/** `brambling, Fringilla montifringilla` and `Fringilla montifringilla, Brambling` */
function readList(text: string): PairParts | undefined {
  const names = text.split(',').map((part) => part.trim());
  const [first = '', last = ''] = [names[0], names.at(-1)];
  if (names.length < 2 || !first) return undefined;
  if (binomial.test(last)) return { scientific: last, common: first };
  return names.length === 2 && latinScore(first) >= 2 && latinScore(last) === 0
    ? { scientific: first, common: last }
    : undefined;
}

/** Determines which of two names is the scientific one; undefined when neither is. */
function orderPair(first: string, second: string): PairParts | undefined {
  const [one, other] = [latinScore(first), latinScore(second)];
  if (one === 0 && other === 0) {
    // In all lower or all upper case, a name of two words may be of either kind.
    const [ofFirst, ofSecond] = [first, second].map((name) => latinScore(asSentence(name)));
    if (Math.max(ofFirst ?? 0, ofSecond ?? 0) < 2 || !isOneCase(first + second)) return undefined;
    return orderPair(asSentence(first), asSentence(second));
  }
  const [scientific, common] = one >= other ? [first, second] : [second, first];
  return { scientific, common, isUnsure: Math.min(one, other) >= 2 };
}

const isOneCase = (text: string) => text === text.toLowerCase() || text === text.toUpperCase();

const asSentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1).toLowerCase();

/** Returns a score for how much a name looks like a scientific one; 0 when it cannot be one. */
function latinScore(name: string): number {
  const bare = takePlumage(name).text;
  if (!binomial.test(bare) || noEpithet.test(bare)) return 0;
  if (englishNoun.test(bare)) return 1;
  const words = bare.split(' ');
  const latin = words.filter((word) => latinEnd.test(word)).length;
  return latin === 0 ? 0 : 2 + latin / words.length;
}

interface ReadName {
  readonly name: string;
  readonly keys: readonly string[];
  readonly plumage: string;
}

/** Parses a single name: a form in brackets, and inverted names. */
function readName(given: string): ReadName {
  if (hybrid.test(given)) return { name: given, keys: [speciesKey(given)], plumage: '' };
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

/** Returns further spellings: `gruenfink`, `GreatTit`, `Great_Tit_12`, `great tit song`, `class 12 Great Tit`. */
function spellingsOf(text: string, keys: readonly string[]): LooseKey[] {
  const further = [
    speciesKey(text.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')),
    ...keys.map((key) => key.replace(/(?<![aeq])([aou])e/gu, '$1')),
    ...keys.map((key) => key.replace(/ (?:\d+|song|calls?|singing|drumming)$/u, '')),
    ...keys.map((key) => key.replace(/^(?:class|label|species|bird)[ :]+(?:\d+[ :]+)?(?=\p{L})/u, '')),
  ];
  return unique(further)
    .filter((key) => !keys.includes(key))
    .map((key) => ({ key, plumage: '' }));
}

/** Returns the key of genus and subspecies, because lists disagree whether a taxon is a subspecies or a species. */
function firstAndThird(name: string): string | undefined {
  const words = tidy(name).split(' ');
  const [genus = '', , third = ''] = words;
  const isScientific = words.length === 3 && firstTwo(name) !== undefined && /^[a-z-]+$/u.test(third);
  return isScientific ? speciesKey(`${genus} ${third}`) : undefined;
}

/** Returns the key of the first two of three words, which may be a subspecies or a pair without a separator. */
function firstTwo(name: string): string | undefined {
  const words = tidy(name).split(' ');
  const [genus = '', epithet = ''] = words;
  if (words.length < 3 || !/^[A-Za-z]+$/u.test(genus) || !/^[a-z-]+$/u.test(epithet)) return undefined;
  return speciesKey(`${genus} ${epithet}`);
}
