import { describe, expect, it } from 'vitest';
import { chooseLanguage, translateAddress } from './description-language.js';

describe('chooseLanguage', () => {
  it.each([
    ['nothing', undefined, undefined, 'en'],
    ['a parameter', 'de', 'ru', 'de'],
    ['a parameter with a region', 'de-AT', undefined, 'de'],
    ['a parameter in capitals', 'RU', undefined, 'ru'],
    ['a parameter of a language without texts', 'sv', 'de', 'en'],
    ['a header', undefined, 'de-AT,de;q=0.9,en;q=0.8', 'de'],
    ['a header by quality, not by order', undefined, 'en;q=0.5, ru;q=0.7', 'ru'],
    ['a header whose first language has no texts', undefined, 'sv, de;q=0.5', 'de'],
    ['a header that refuses a language', undefined, 'de;q=0', 'en'],
    ['a header that takes anything', undefined, '*', 'en'],
    ['a header that cannot be read', undefined, ';;,=,q=1', 'en'],
  ])('%s, gives a language', (_, wanted, accepted, language) => {
    expect(chooseLanguage(wanted, accepted)).toBe(language);
  });

  it('a header of very many entries, is read up to fifty', () => {
    expect(chooseLanguage(undefined, `${'sv,'.repeat(50)}de`)).toBe('en');
  });
});

describe('translateAddress', () => {
  it.each([
    ['https://en.wikipedia.org/api/rest_v1', 'de', 'https://de.wikipedia.org/api/rest_v1'],
    ['https://en.wikipedia.org/api/rest_v1', 'en', 'https://en.wikipedia.org/api/rest_v1'],
    ['http://mirror:8080/wiki/en/api', 'ru', 'http://mirror:8080/wiki/ru/api'],
    ['http://127.0.0.1:9', 'de', undefined],
    ['https://encyclopedia.example/api', 'de', undefined],
  ] as const)('%s in %s, gives %s', (english, language, address) => {
    expect(translateAddress(english, language)).toBe(address);
  });
});
