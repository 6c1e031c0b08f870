import { describe, expect, test } from 'vitest';
import { isImperial, localeOf } from './languages';

describe('localeOf', () => {
  test("a language of the browser, is that of the browser's region", () => {
    expect(localeOf('en', ['de-AT', 'en-GB', 'en-US'])).toBe('en-GB');
  });

  test('another language, is just itself', () => expect(localeOf('ru', ['de-AT', 'en-GB'])).toBe('ru'));
});

test.each([
  ['en-US', true],
  ['es-US', true],
  ['en-GB', false],
  ['de', false],
])('people of %s, measure in °F and mph: %s', (locale, expected) =>
  expect(isImperial(locale)).toBe(expected),
);
