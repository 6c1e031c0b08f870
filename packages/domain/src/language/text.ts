import type { HubLanguage } from './language.js';

/** A text for each plural form of a language; `#` stands for the number. */
export type Plural = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>;

/** Things that are counted. */
export type Noun = 'visits' | 'species';

/** The plural forms of the nouns in each language. */
export const nounForms: Readonly<Record<HubLanguage, Readonly<Record<Noun, Plural>>>> = {
  en: {
    visits: { one: '# visit', other: '# visits' },
    species: { one: '# species', other: '# species' },
  },
  de: {
    visits: { one: '# Besuch', other: '# Besuche' },
    species: { one: '# Art', other: '# Arten' },
  },
  ru: {
    visits: { one: '# визит', few: '# визита', many: '# визитов', other: '# визита' },
    species: { one: '# вид', few: '# вида', many: '# видов', other: '# вида' },
  },
  fr: {
    visits: { one: '# visite', many: '# visites', other: '# visites' },
    species: { one: '# espèce', many: '# espèces', other: '# espèces' },
  },
  es: {
    visits: { one: '# visita', many: '# visitas', other: '# visitas' },
    species: { one: '# especie', many: '# especies', other: '# especies' },
  },
  it: {
    visits: { one: '# visita', many: '# visite', other: '# visite' },
    species: { one: '# specie', many: '# specie', other: '# specie' },
  },
  nl: {
    visits: { one: '# bezoek', other: '# bezoeken' },
    species: { one: '# soort', other: '# soorten' },
  },
  pl: {
    visits: { one: '# wizyta', few: '# wizyty', many: '# wizyt', other: '# wizyty' },
    species: { one: '# gatunek', few: '# gatunki', many: '# gatunków', other: '# gatunku' },
  },
};

/** Returns a count with its noun: `3 visits`. */
export function countText(language: HubLanguage, noun: Noun, count: number): string {
  return pluralText(language, nounForms[language][noun], count);
}

/** Returns the noun of a count without the number: `visits`. */
export function nounText(language: HubLanguage, noun: Noun, count: number): string {
  return formOf(language, nounForms[language][noun], count).replace('#', '').trim();
}

/** Returns the plural form of a text for a number. */
export function pluralText(language: HubLanguage, forms: Plural, count: number): string {
  return formOf(language, forms, count).replace('#', new Intl.NumberFormat(language).format(count));
}

const formOf = (language: HubLanguage, forms: Plural, count: number) =>
  forms[new Intl.PluralRules(language).select(count)] ?? forms.other ?? '#';

/** Replaces placeholders such as `{hub}` by their values; placeholders without a value are kept. */
export function fillText(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder));
}
