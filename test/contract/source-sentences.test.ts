import { readFileSync } from 'node:fs';
import { hubLanguages } from '@birdhub/domain/language';
import { describe, expect, it } from 'vitest';
import { sentences } from '../../services/ingest/src/sources/sentences.js';

const prefix = 'sentence.';

describe('sentences about sources', () => {
  it.each(hubLanguages)('in %s, are texts of the page with the same values', (language) => {
    const path = new URL(`../../web/src/features/sources/texts/${language}.json`, import.meta.url);
    const texts = Object.entries(JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>);
    const pageTexts = texts.flatMap(([key, text]) =>
      key.startsWith(prefix) ? [[key.slice(prefix.length), text] as const] : [],
    );
    const valuesOf = (text: string) => (text.match(/{{\w+}}/g) ?? []).sort();
    const shape = (all: readonly (readonly [string, string])[]) =>
      Object.fromEntries(all.map(([code, text]) => [code, valuesOf(text)]));
    expect(shape(pageTexts)).toEqual(shape(Object.entries(sentences)));
    if (language === 'en') expect(Object.fromEntries(pageTexts)).toEqual(sentences);
  });
});
