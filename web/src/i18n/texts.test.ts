import { describe, expect, test } from 'vitest';
import { languages } from './languages';

type Texts = Readonly<Record<string, string>>;
const files = import.meta.glob<Texts>('../**/texts/*.json', { eager: true, import: 'default' });
const folders = [
  ...new Set(Object.keys(files).map((file) => file.slice('../'.length, file.indexOf('/texts/')))),
];
const pluralForm = /_(zero|one|two|few|many|other)$/;

const textsOf = (folder: string, language: string) => files[`../${folder}/texts/${language}.json`] ?? {};
const isPlural = (key: string, texts: Texts) =>
  pluralForm.test(key) && key.replace(pluralForm, '_other') in texts;
const baseKeys = (texts: Texts) =>
  [
    ...new Set(Object.keys(texts).map((key) => (isPlural(key, texts) ? key.replace(pluralForm, '') : key))),
  ].sort();

/** Placeholders of a text, for plurals those of `_other`: the singular may omit the count. */
const placeholders = (texts: Texts, baseKey: string) => {
  const text = texts[baseKey] ?? texts[`${baseKey}_other`] ?? '';
  return [...text.matchAll(/\{\{(\w+)/g)].map(([, name]) => name).sort();
};

test('texts, in each folder, have a namespace of their own', () => {
  const namespaces = folders.map((folder) => folder.split('/').at(-1));
  expect(namespaces).toContain('today');
  expect(new Set(namespaces).size).toBe(namespaces.length);
});

describe.each(folders)('the texts of %s', (folder) => {
  const english = textsOf(folder, 'en');

  test.each(Object.keys(languages))(
    'in %s, have the same keys and placeholders as in English',
    (language) => {
      const texts = textsOf(folder, language);
      expect(baseKeys(texts)).toEqual(baseKeys(english));
      for (const baseKey of baseKeys(english)) {
        expect([baseKey, placeholders(texts, baseKey)]).toEqual([baseKey, placeholders(english, baseKey)]);
      }
    },
  );

  test.each(Object.keys(languages))('in %s, have all plural forms of the language', (language) => {
    const texts = textsOf(folder, language);
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    const plurals = Object.keys(texts).filter((key) => key.endsWith('_other') && isPlural(key, texts));
    const wanted = plurals.flatMap((key) => forms.map((form) => key.replace(pluralForm, `_${form}`)));
    expect(wanted.filter((key) => !(key in texts))).toEqual([]);
  });

  test('in every language, are not empty', () => {
    const empty = Object.keys(languages).flatMap((language) =>
      Object.entries(textsOf(folder, language)).filter(([, text]) => text.trim() === ''),
    );
    expect(empty).toEqual([]);
  });
});
