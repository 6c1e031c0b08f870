import { describe, expect, test } from 'vitest';
import { localeOf } from './languages';

describe('localeOf', () => {
  test('a language that the browser lists with a region, takes that region', () => {
    expect(localeOf('en', ['de-AT', 'en-GB', 'en-US'])).toBe('en-GB');
  });

  test.each([{ wanted: ['nl-NL', 'nl'] }, { wanted: ['de', 'en'] }, { wanted: [] }])(
    'English with the languages $wanted of the browser, is British',
    ({ wanted }) => expect(localeOf('en', wanted)).toBe('en-GB'),
  );

  test('another language, has no region', () => expect(localeOf('ru', ['de-AT', 'en-GB'])).toBe('ru'));
});
