import { describe, expect, it } from 'vitest';
import { countText, negotiateLanguage, shareLanguages, shareTexts } from './share-texts.js';

describe('texts of shared pages', () => {
  it.each(shareLanguages)(
    '%s, has a form for every plural of its counts and the same placeholders',
    (language) => {
      const texts = shareTexts[language];
      for (const noun of ['visits', 'species'] as const) {
        const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
        expect(Object.keys(texts[noun]).sort()).toEqual([...pluralCategories].sort());
        for (const form of Object.values(texts[noun])) expect(form).toContain('#');
      }
      expect(texts.sharedFrom).toContain('{hub}');
      expect(texts.validUntil).toContain('{date}');
      expect(texts.more).toContain('#');
    },
  );

  it('counts, follow the rules of their language', () => {
    expect(countText('ru', 'visits', 21)).toBe('21 визит');
    expect(countText('ru', 'visits', 3)).toBe('3 визита');
    expect(countText('ru', 'visits', 11)).toBe('11 визитов');
    expect(countText('de', 'species', 1)).toBe('1 Art');
  });

  it.each([
    [undefined, 'de', 'de'],
    ['ru-RU,ru;q=0.9,en;q=0.8', 'en', 'ru'],
    ['en;q=0.2, pl', 'en', 'pl'],
    ['xx, *', 'fr', 'fr'],
    ['de;q=0, it', 'en', 'it'],
    ['constructor', 'toString', 'en'],
  ])('accepted %s and a link in %s, give %s', (accepted, ofLink, language) => {
    expect(negotiateLanguage(accepted, ofLink)).toBe(language);
  });
});
