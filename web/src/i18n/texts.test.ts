import { describe, expect, it } from 'vitest';
import { languages } from './languages';

const files = import.meta.glob<Record<string, string>>('../*/texts/*.json', {
  import: 'default',
  eager: true,
});
const features = [...new Set(Object.keys(files).map((file) => file.split('/')[1] ?? ''))];
const plural = /_(zero|one|two|few|many|other)$/;

const keysIn = (feature: string, language: string) =>
  Object.keys(files[`../${feature}/texts/${language}.json`] ?? {}).toSorted();

/** The keys that a language must have where English has these: each plural in all of its forms. */
function wantedKeys(english: readonly string[], language: string): string[] {
  const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
  const wanted = english.flatMap((key) => {
    const stem = key.replace(plural, '');
    return english.includes(`${stem}_other`) ? forms.map((form) => `${stem}_${form}`) : [key];
  });
  return [...new Set(wanted)].toSorted();
}

describe.each(Object.keys(languages))('texts in %s', (language) => {
  it.each(features)('of %s, are all there, in every plural form', (feature) => {
    expect(keysIn(feature, language)).toEqual(wantedKeys(keysIn(feature, 'en'), language));
  });
});
