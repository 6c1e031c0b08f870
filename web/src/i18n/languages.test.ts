import { describe, expect, test } from 'vitest';
import { localeOf } from './languages';

describe('localeOf', () => {
  test("a language of the browser, is that of the browser's region", () => {
    expect(localeOf('en', ['de-AT', 'en-GB', 'en-US'])).toBe('en-GB');
  });

  test('another language, is just itself', () => expect(localeOf('ru', ['de-AT', 'en-GB'])).toBe('ru'));
});
