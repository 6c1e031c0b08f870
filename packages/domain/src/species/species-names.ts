const blanks = /[\s\p{Cc}\p{Cs}]+/gu;
const apostrophes = /['`\u00b4\u2018\u2019\u201b\u02b9\u02bb\u02bc\u02bd\u2032\ua78b\ua78c]/gu;
const invisible = /\p{Cf}/gu;
const accentsOfLatin = /(\p{Script=Latin})\p{Mn}+/gu;
const separators = /[_\u2212\p{Pd}\s]+/gu;

/** Returns the stored and displayed spelling: NFC, trimmed, single spaces between words, no control characters. */
export function normaliseSpeciesName(name: string): string {
  return name.replace(blanks, ' ').trim().normalize('NFC');
}

/**
 * Returns the key by which names are compared: in lower case, without Latin accents and apostrophes; hyphens and
 * underscores become spaces, ß becomes ss and ё becomes е. Marks of other scripts distinguish letters and are kept.
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
    .normalize('NFC')
    .replaceAll('ß', 'ss')
    .replaceAll('ё', 'е');
  return key || normalised.toLowerCase();
}

/** Returns the names of a mapping in the settings by the keys of those that they replace; blank names are left out. */
export function readNameMapping(mapping: Readonly<Record<string, string>>): Map<string, string> {
  const entries = Object.entries(mapping).filter(([, to]) => normaliseSpeciesName(to) !== '');
  return new Map(entries.map(([from, to]) => [speciesKey(from), to]));
}

/** Labels that only mean that there was a bird. They are stored for review and excluded from statistics. */
export const genericSpecies = ['Bird', 'Unknown', 'Birds'] as const;

/** Further spellings of generic labels. */
export const genericLabels: Readonly<Partial<Record<(typeof genericSpecies)[number], readonly string[]>>> = {
  Bird: [
    'Aves',
    'Bird sp.',
    'Bird species',
    'Unknown bird',
    'Unidentified bird',
    'Other bird',
    'Vogel',
    'Oiseau',
    'Uccello',
    'Pájaro',
    'Ptak',
    'Птица',
  ],
  Unknown: ['Unidentified', 'Unknown species', 'Unsure', 'Animal', 'Unbekannt', 'Неизвестно'],
};

const genericKeys: ReadonlySet<string> = new Set(
  [...genericSpecies, ...Object.values(genericLabels).flat()].map(speciesKey),
);

/** Returns whether a name is generic, in any spelling. */
export function isGenericSpecies(name: string): boolean {
  return genericKeys.has(speciesKey(name));
}
