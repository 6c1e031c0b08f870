const blanks = /[\s\p{Cc}\p{Cs}]+/gu;
const apostrophes = /['`\u00b4\u2018\u2019\u201b\u02b9\u02bb\u02bc\u02bd\u2032\ua78b\ua78c]/gu;
const invisible = /\p{Cf}/gu;
const accentsOfLatin = /(\p{Script=Latin})\p{Mn}+/gu;
const separators = /[_\u2212\p{Pd}\s]+/gu;

/** Returns the spelling that is stored and shown: NFC, one space between words, none around, no control characters. */
export function normaliseSpeciesName(name: string): string {
  return name.replace(blanks, ' ').trim().normalize('NFC');
}

/**
 * Returns the spelling that names are compared by: without case, Latin accents and apostrophes; hyphens and
 * underscores are spaces. Marks of other scripts distinguish letters there and stay.
 */
export function speciesKey(name: string): string {
  const normalised = normaliseSpeciesName(name);
  const key = normalised
    .replace(apostrophes, '')
    .normalize('NFKD')
    .replace(apostrophes, '')
    .replace(invisible, '')
    .toLowerCase()
    .normalize('NFKD')
    .replace(accentsOfLatin, '$1')
    .replace(separators, ' ')
    .trim()
    .normalize('NFC');
  return key || normalised.toLowerCase();
}

const binomial = /^\p{Lu}\p{Ll}+ \p{Ll}+(?: \p{Ll}+)?$/u;
const numbered = /^\d+[.\s_-]+(?=\p{L})/u;
const withBrackets = /^([^()]+?)[\s_]*\(([^()]+)\)$/u;

const plumage = 'male|female|adult|subadult|immature|juvenile|fledgling|breeding|nonbreeding|eclipse';
const plumageAtEnd = `${plumage}|non|winter|summer|plumage|morph|m|f|and|or`;
const leadingPlumage = new RegExp(`^(?:(?:${plumage}) )+`, 'u');
const trailingPlumage = new RegExp(`(?: (?:${plumageAtEnd}))+$`, 'u');
const onlyPlumage = new RegExp(`^(?:(?:${plumageAtEnd})(?:[ /,_-]+|$))+$`, 'iu');

/** `Parus major_Great Tit`, the labels of sound classifiers: the common name, then the scientific one. */
function pairParts(label: string): string[] {
  const [scientific = '', common = '', ...more] = label.split('_');
  return binomial.test(scientific.trim()) && common.trim() && !more.length ? [common, scientific] : [];
}

/** `Great Tit (Parus major)` gives both names, `Dark-eyed Junco (Slate-colored)` the form's and the species'. */
function bracketParts(label: string): string[] {
  const [, outside = '', inside = ''] = withBrackets.exec(label) ?? [];
  if (!outside) return [];
  if (binomial.test(outside) || binomial.test(inside)) return [outside, inside];
  if (onlyPlumage.test(inside)) return [outside];
  const group = outside.split(/[\s_]/u).at(-1) ?? outside;
  return [inside.endsWith(group) ? inside : `${inside} ${group}`, outside];
}

/** `Tit, Great`, as registers and field guides sort names. */
function invertedParts(label: string): string[] {
  const [noun = '', adjective = '', ...more] = label.split(',');
  return noun.trim() && adjective.trim() && !more.length ? [`${adjective} ${noun}`] : [];
}

function spellingsOf(label: string): string[] {
  const unnumbered = label.replace(numbered, '');
  const parts = [...pairParts(label), ...bracketParts(label), ...invertedParts(label)];
  return unnumbered === label ? parts : [unnumbered, ...parts];
}

function withoutPlumage(key: string): string {
  const words = key.replace(/[/,() ]+/gu, ' ').trim();
  const bare = words.replace(trailingPlumage, '').replace(leadingPlumage, '');
  return bare === words ? key : bare;
}

/**
 * Returns the keys under which a detector's label may be known, the best first: the whole, its parts, and last both
 * without words for sex, age and season.
 */
export function labelCandidates(label: string): string[] {
  const spellings = new Set([normaliseSpeciesName(label)]);
  // A Set also iterates over what is added meanwhile, so parts of parts are found as well.
  for (const spelling of spellings)
    for (const part of spellingsOf(spelling)) spellings.add(normaliseSpeciesName(part));
  const keys = [...spellings].map(speciesKey);
  return [...new Set([...keys, ...keys.map(withoutPlumage)])].filter((key, at) => key !== '' || at === 0);
}

/** Labels that say only that there was a bird: kept for review, left out of statistics. */
export const GENERIC_SPECIES = ['Bird', 'Unknown', 'Birds'] as const;

const genericKeys: ReadonlySet<string> = new Set(GENERIC_SPECIES.map(speciesKey));

/** Whether a name, however it is spelled, is one of the generic ones. */
export function isGenericSpecies(name: string): boolean {
  return genericKeys.has(speciesKey(name));
}
