import { describe, expect, it } from 'vitest';
import {
  countText,
  hubLanguages,
  localeOf,
  negotiateLanguage,
  nounText,
  readerLocale,
  unitsIn,
} from './index.js';
import { nounForms } from './text.js';

describe('countText', () => {
  it.each(hubLanguages)('%s, has a form for every plural category', (language) => {
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
    for (const forms of Object.values(nounForms[language])) {
      expect(Object.keys(forms).sort()).toEqual([...pluralCategories].sort());
      for (const form of Object.values(forms)) expect(form).toContain('#');
    }
    const counts = [0, 1, 2, 3, 5, 11, 21, 100, 1_000_000];
    for (const noun of ['visits', 'species'] as const) {
      const texts = counts.map((count) => countText(language, noun, count));
      for (const text of texts) expect(text).toMatch(/^[\d.,\s]+ \p{L}+$/u);
    }
  });

  it.each([
    ['ru', 'visits', 21, '21 визит'],
    ['ru', 'visits', 3, '3 визита'],
    ['ru', 'visits', 11, '11 визитов'],
    ['pl', 'visits', 2, '2 wizyty'],
    ['pl', 'species', 5, '5 gatunków'],
    ['de', 'species', 1, '1 Art'],
  ] as const)('in %s of %s, %i is "%s"', (language, noun, count, text) => {
    expect(countText(language, noun, count)).toBe(text);
  });
});

describe('nounText', () => {
  it.each([
    ['en', 'visits', 1, 'visit'],
    ['en', 'visits', 0, 'visits'],
    ['ru', 'species', 14, 'видов'],
  ] as const)('in %s of %s, beside %i is "%s"', (language, noun, count, text) => {
    expect(nounText(language, noun, count)).toBe(text);
  });
});

describe('negotiateLanguage', () => {
  it.each([
    [undefined, 'de', 'de'],
    ['ru-RU,ru;q=0.9,en;q=0.8', 'en', 'ru'],
    ['en;q=0.2, pl', 'en', 'pl'],
    ['xx, *', 'fr', 'fr'],
    ['de;q=0, it', 'en', 'it'],
    ['constructor', 'toString', 'en'],
  ])('accepted %s with the default %s, returns %s', (accepted, otherwise, language) => {
    expect(negotiateLanguage(accepted, otherwise)).toBe(language);
  });
});

describe('localeOf', () => {
  it.each(hubLanguages)('%s, writes the day before the month', (language) => {
    const format = new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'long', timeZone: 'UTC' });
    const types = format.formatToParts(Date.UTC(2026, 4, 31)).map(({ type }) => type);
    expect(types.indexOf('day')).toBeLessThan(types.indexOf('month'));
  });
});

describe('readerLocale', () => {
  it.each([
    ['en-US,en;q=0.9', 'en', 'en-US'],
    ['ru, en-au;q=0.5', 'en', 'en-au'],
    ['en,de-AT', 'en', 'en-GB'],
    ['x-en-us, en-latn-us', 'en', 'en-GB'],
    [undefined, 'de', 'de'],
  ] as const)('accepted %s in %s, returns %s', (accepted, language, locale) => {
    expect(readerLocale(accepted, language)).toBe(locale);
    expect(Intl.getCanonicalLocales(locale)).toHaveLength(1);
  });
});

describe('unitsIn', () => {
  it.each([
    ['America/Chicago', 'auto', 'imperial'],
    ['US/Eastern', 'auto', 'imperial'],
    ['Pacific/Honolulu', 'auto', 'imperial'],
    ['Asia/Yangon', 'auto', 'imperial'],
    ['America/Toronto', 'auto', 'metric'],
    ['Europe/London', 'auto', 'metric'],
    ['UTC', 'auto', 'metric'],
    ['America/Chicago', 'metric', 'metric'],
    ['Europe/Berlin', 'imperial', 'imperial'],
  ] as const)('in %s with the setting %s, returns %s', (zone, setting, units) => {
    expect(unitsIn(zone, setting)).toBe(units);
  });
});
