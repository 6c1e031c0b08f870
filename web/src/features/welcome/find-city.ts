/** A city of the list. */
export interface City {
  readonly name: string;
  /** The letters of a state of the USA; empty in other countries. */
  readonly state: string;
  /** A larger city nearby, where it distinguishes cities of the same name. */
  readonly landmark?: Pick<City, 'name' | 'names' | 'keys'> | undefined;
  /** Its names by language, where they differ. */
  readonly names: Readonly<Record<string, string>>;
  /** ISO 3166-1. */
  readonly country: string;
  /** IANA zone. */
  readonly zone: string;
  readonly latitude: number;
  readonly longitude: number;
  /** Ten times the decimal logarithm of the population. */
  readonly size: number;
  /** Search keys: the spellings of its names in Latin letters without accents and punctuation. */
  readonly keys: readonly string[];
}

/** Parses the list that the build writes; the largest cities are first. */
export function readCities(list: string): readonly City[] {
  const read = list.split('\n\n').flatMap((group) => {
    const [place = '', ...lines] = group.split('\n');
    const [country = '', zone = ''] = place.split(' ');
    return lines.map((line) => readCity(line, country, zone));
  });
  // Cities of the same name in a country have the same names in other languages.
  const byName = new Map(read.map(({ city }) => [`${city.name} ${city.country}`, city]));
  return read
    .map(({ city, landmark }) => ({ ...city, landmark: byName.get(`${landmark} ${city.country}`) }))
    .toSorted((one, other) => other.size - one.size);
}

/** Returns a city of the list, and the name of its landmark. */
function readCity(line: string, country: string, zone: string): { city: City; landmark: string } {
  const [name = '', state = '', landmark = '', latitude, longitude, size, ...others] = line.split('\t');
  const names = Object.fromEntries(others.map((other) => other.split('=')));
  const keys = [...new Set([name, ...Object.values<string>(names)].flatMap(spellingsOf))];
  const degrees = (hundredths: string | undefined) => Number(hundredths) / 100;
  const city = {
    ...{ name, state, names, country, zone, keys },
    ...{ latitude: degrees(latitude), longitude: degrees(longitude), size: Number(size) },
  };
  return { city, landmark };
}

/** Common abbreviations of countries that are not their codes. */
const abbreviations: Readonly<Record<string, string>> = { US: 'USA', GB: 'UK' };

/**
 * Returns the cities whose name matches the typed text: exact matches first, then names that start with it, then names
 * with a word that starts with it. `cities` are sorted by size. Accents, case, punctuation and Cyrillic letters do not
 * matter. The name may be followed by the letters of a state of the USA, the landmark, and the country (by its ISO 3166-1
 * code, its common abbreviation, or its name from `countryName`).
 */
export function findCities(
  cities: readonly City[],
  typed: string,
  countryName: (code: string) => string | undefined = () => undefined,
  limit = 8,
): City[] {
  const areas = new Map<string, string[]>();
  const isIn = (city: City, area: string) => {
    const key = `${city.state} ${city.landmark?.name} ${city.country}`;
    const texts = areas.get(key) ?? areasOf(city, countryName(city.country));
    areas.set(key, texts);
    return texts.some((text) => text.startsWith(area));
  };
  const readings = readingsOf(typed);
  // All readings start with the last one, so that one pass over all cities is enough.
  const [start = ''] = readings.at(-1) ?? [];
  const candidates = start === '' ? [] : cities.filter(({ keys }) => keys.some((key) => key.includes(start)));
  for (const [wanted, ...parts] of readings) {
    let found: City[][] = [[], [], []];
    for (const city of candidates) {
      let rank = 3;
      for (const key of city.keys) rank = Math.min(rank, rankOf(key, wanted));
      found[rank]?.push(city);
    }
    for (const part of parts.filter(Boolean)) {
      const inside = found.map((ranked) => ranked.filter((city) => isIn(city, part)));
      // An unknown area after a comma is ignored.
      if (inside.flat().length > 0 || !typed.includes(',')) found = inside;
    }
    // A small town with an exact match does not precede a metropolis whose name starts with the text.
    const [same = [], begins = [], has = []] = found.map((ranked) => ranked.slice(0, limit));
    const first = [...same, ...begins].toSorted((one, other) => weightOf(other, same) - weightOf(one, same));
    const all = [...first, ...has].slice(0, limit);
    if (all.length > 0) return all;
  }
  return [];
}

/** Returns the search keys of the country of a city, alone and after its state or landmark. */
function areasOf({ state, landmark, country }: City, countryName = ''): string[] {
  const countries = [countryName, country, abbreviations[country] ?? ''];
  return ['', state, ...(landmark?.keys ?? [])].flatMap((area) =>
    countries.map((name) => fold(`${area} ${name}`)),
  );
}

/** Returns the ways to read the text as a name and areas, the shortest name last. */
function readingsOf(typed: string): [name: string, ...areas: string[]][] {
  const [name = '', ...areas] = typed.split(',').map(fold);
  if (areas.length > 0) return [[fold(typed)], [name, ...areas]];
  const words = name.split(' ');
  return words.map((_, count) => [
    words.slice(0, words.length - count).join(' '),
    words.slice(words.length - count).join(' '),
  ]);
}

/** A point in degrees. */
type Place = Pick<City, 'latitude' | 'longitude'>;

const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** Returns the distance along the surface of the earth. */
export function kilometresBetween(one: Place, other: Place): number {
  const haversine =
    Math.sin(radians(one.latitude - other.latitude) / 2) ** 2 +
    Math.cos(radians(other.latitude)) *
      Math.cos(radians(one.latitude)) *
      Math.sin(radians(one.longitude - other.longitude) / 2) ** 2;
  return 2 * 6371 * Math.asin(Math.sqrt(haversine));
}

/** Returns the city that is nearest to a place; undefined without cities. */
export function nearestCity<T extends Place>(cities: readonly T[], place: Place): T | undefined {
  let nearest: T | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const city of cities) {
    const distance = kilometresBetween(city, place);
    if (distance < least) [nearest, least] = [city, distance];
  }
  return nearest;
}

/** An exact match counts as ten times the population. */
const weightOf = (city: City, same: readonly City[]) => city.size + (same.includes(city) ? 10 : 0);

function rankOf(key: string, wanted: string): number {
  if (key === wanted) return 0;
  const index = key.indexOf(wanted);
  if (index <= 0) return index === 0 ? 1 : 3;
  return key.includes(` ${wanted}`) ? 2 : 3;
}

const letters: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', ł: 'l', ø: 'o', æ: 'ae', œ: 'oe', đ: 'd', ı: 'i' },
  ...{ а: 'a', б: 'b', в: 'v', г: 'g', ґ: 'g', д: 'd', е: 'e', є: 'e', ж: 'zh', з: 'z', и: 'i', і: 'i' },
  ...{ к: 'k', л: 'l', м: 'm', н: 'n', о: 'o', п: 'p', р: 'r', с: 's', т: 't', у: 'u', ф: 'f', х: 'kh' },
  ...{ ц: 'ts', ч: 'ch', ш: 'sh', щ: 'shch', ъ: '', ы: 'y', ь: '', э: 'e', ю: 'yu', я: 'ya' },
};

/** Returns the search keys of a name: also without apostrophes, with umlauts as two letters, and with St for Saint. */
function spellingsOf(name: string): string[] {
  const spellings = new Set([name, name.replace(/['’‘`]/g, ''), name.replace(/[äöüø]/gi, '$&e')]);
  return [...spellings]
    .map(fold)
    .flatMap((key) => [
      key,
      key.replace(/\b(?:saint|sankt|sint)(?=e? )/g, 'st'),
      key.replace(/\bst(?=e? )/g, 'saint'),
    ]);
}

/**
 * Transliterates to Latin letters without accents and case, with one space for punctuation; й and ё lose their marks
 * like any other letter.
 */
function fold(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[ßłøæœđıа-яґєі]/g, (letter) => letters[letter] ?? letter)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(/\bye/g, 'e')
    .replace(/(?:iy|yy|ij|ii)(?=$| )/g, 'i');
}
