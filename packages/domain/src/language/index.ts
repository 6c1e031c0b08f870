export { clockFormat, type TimeFormat, timeFormats } from './clock.js';
export { type HubLanguage, hubLanguages, localeOf, negotiateLanguage, readerLocale } from './language.js';
export { findSpeciesNamed, speciesNameIn } from './species-name.js';
export { countText, fillText, nounText, type Plural, pluralText } from './text.js';
export { type Units, units, unitsIn } from './units.js';
