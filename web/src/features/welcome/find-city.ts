/** A city of the list. */
export interface City {
  readonly name: string;
  /** Distinguishes cities of the same name in a country, such as the abbreviation of a state. */
  readonly region: string;
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
  /** Search keys: its names in Latin letters without accents. */
  readonly keys: readonly string[];
}

/** Parses the list that the build writes; the largest cities are first. */
export function readCities(list: string): readonly City[] {
  return list
    .split('\n\n')
    .flatMap((group) => {
      const [place = '', ...lines] = group.split('\n');
      const [country = '', zone = ''] = place.split(' ');
      return lines.map((line) => readCity(line, country, zone));
    })
    .toSorted((one, other) => other.size - one.size);
}

function readCity(line: string, country: string, zone: string): City {
  const [name = '', region = '', latitude, longitude, size, ...others] = line.split('\t');
  const names = Object.fromEntries(others.map((other) => other.split('=')));
  const keys = [...new Set([name, ...Object.values<string>(names)].map(fold))];
  const degrees = (hundredths: string | undefined) => Number(hundredths) / 100;
  return {
    ...{ name, region, names, country, zone, keys },
    ...{ latitude: degrees(latitude), longitude: degrees(longitude), size: Number(size) },
  };
}

/**
 * Returns the cities whose name matches the typed text: exact matches first, then names that start with it, then names
 * with a word that starts with it. `cities` are sorted by size. Accents, case and Cyrillic letters do not matter.
 */
export function findCities(cities: readonly City[], typed: string, limit = 8): City[] {
  const wanted = fold(typed.trim());
  if (wanted === '') return [];
  const found: [City[], City[], City[]] = [[], [], []];
  for (const city of cities) {
    const rank = Math.min(...city.keys.map((key) => rankOf(key, wanted)));
    if (rank < 3 && (found[rank]?.length ?? 0) < limit) found[rank]?.push(city);
  }
  // A small town with an exact match does not precede a metropolis whose name starts with the text.
  const [same, begins, has] = found;
  const first = [...same, ...begins].toSorted((one, other) => weightOf(other, same) - weightOf(one, same));
  return [...first, ...has].slice(0, limit);
}

const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** Returns the city that is nearest to a point in degrees; undefined without cities. */
export function nearestCity(
  cities: readonly City[],
  { latitude, longitude }: Pick<City, 'latitude' | 'longitude'>,
): City | undefined {
  let nearest: City | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const city of cities) {
    // The haversine of the angle between both, which grows with their distance.
    const distance =
      Math.sin(radians(city.latitude - latitude) / 2) ** 2 +
      Math.cos(radians(latitude)) *
        Math.cos(radians(city.latitude)) *
        Math.sin(radians(city.longitude - longitude) / 2) ** 2;
    if (distance < least) [nearest, least] = [city, distance];
  }
  return nearest;
}

/** An exact match counts as ten times the population. */
const weightOf = (city: City, same: readonly City[]) => city.size + (same.includes(city) ? 10 : 0);

function rankOf(key: string, wanted: string): number {
  if (key === wanted) return 0;
  if (key.startsWith(wanted)) return 1;
  return key.includes(` ${wanted}`) || key.includes(`-${wanted}`) ? 2 : 3;
}

const letters: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', ł: 'l', ø: 'o', æ: 'ae', œ: 'oe', đ: 'd', ı: 'i', '’': "'" },
  ...{ а: 'a', б: 'b', в: 'v', г: 'g', ґ: 'g', д: 'd', е: 'e', є: 'e', ж: 'zh', з: 'z', и: 'i', і: 'i' },
  ...{ к: 'k', л: 'l', м: 'm', н: 'n', о: 'o', п: 'p', р: 'r', с: 's', т: 't', у: 'u', ф: 'f', х: 'kh' },
  ...{ ц: 'ts', ч: 'ch', ш: 'sh', щ: 'shch', ъ: '', ы: 'y', ь: '', э: 'e', ю: 'yu', я: 'ya' },
};

/** Transliterates to Latin letters without accents; й and ё lose their marks like any other letter. */
function fold(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[ßłøæœđı’а-яґєі]/g, (letter) => letters[letter] ?? letter)
    .replace(/\bye/g, 'e')
    .replace(/(?:iy|yy|ij|ii)(?=$|[ -])/g, 'i');
}
