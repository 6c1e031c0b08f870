/** °C and m/s, or °F and mph. */
export const units = ['metric', 'imperial'] as const;

/** One of {@link units}. */
export type Units = (typeof units)[number];

/** The units of displayed values: those of the country of the hub's zone, °C and m/s, or °F and mph. */
export const unitSettings = ['auto', ...units] as const;

/** One of {@link unitSettings}. */
type UnitSetting = (typeof unitSettings)[number];

/** Countries that use °F and mph (ISO 3166-1). */
const imperialCountries = ['US', 'LR', 'MM'];

/** An accessor in earlier versions of JavaScript engines, a method in later ones; missing in the types. */
interface LocaleWithZones {
  readonly timeZones?: readonly string[];
  getTimeZones?(): readonly string[];
}

const canonicalZone = (zone: string) =>
  new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;

function zonesOf(country: string): readonly string[] {
  const locale = new Intl.Locale(`und-${country}`) as Intl.Locale & LocaleWithZones;
  return locale.getTimeZones?.() ?? locale.timeZones ?? [];
}

/** Created on the first use: each zone takes an `Intl.DateTimeFormat`, and most services need none. */
let imperialZones: ReadonlySet<string> | undefined;

/** Returns the units of a setting; `auto` means those of the country of the hub's zone (IANA name). */
export function unitsIn(zone: string, setting: UnitSetting): Units {
  if (setting !== 'auto') return setting;
  imperialZones ??= new Set(imperialCountries.flatMap(zonesOf).map(canonicalZone));
  return imperialZones.has(canonicalZone(zone)) ? 'imperial' : 'metric';
}
