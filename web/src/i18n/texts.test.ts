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
const meanings = (texts: Texts) =>
  [
    ...new Set(Object.keys(texts).map((key) => (isPlural(key, texts) ? key.replace(pluralForm, '') : key))),
  ].sort();

/** Names in braces that a text of a meaning may use; a single bird need not be counted. */
const gaps = (texts: Texts, meaning: string) => {
  const text = texts[meaning] ?? texts[`${meaning}_other`] ?? '';
  return [...text.matchAll(/\{\{(\w+)/g)].map(([, name]) => name).sort();
};

test('texts, of every folder, are a namespace of their own', () => {
  const namespaces = folders.map((folder) => folder.split('/').at(-1));
  expect(namespaces).toContain('today');
  expect(new Set(namespaces).size).toBe(namespaces.length);
});

describe.each(folders)('the texts of %s', (folder) => {
  const english = textsOf(folder, 'en');

  test.each(Object.keys(languages))('in %s, say the same things with the same gaps', (language) => {
    const texts = textsOf(folder, language);
    expect(meanings(texts)).toEqual(meanings(english));
    for (const meaning of meanings(english)) {
      expect([meaning, gaps(texts, meaning)]).toEqual([meaning, gaps(english, meaning)]);
    }
  });

  test.each(Object.keys(languages))('in %s, have every form that the language counts with', (language) => {
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
