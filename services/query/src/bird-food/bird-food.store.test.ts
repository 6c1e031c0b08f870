import { HubError } from '@birdhub/shared/errors';
import { describe, expect, it } from 'vitest';
import { toFoodName } from './bird-food.store.js';

describe('toFoodName', () => {
  it.each([
    ['  Suet \n', 'Suet'],
    ['Suet   with  oats', 'Suet with oats'],
    ['Šípky', 'Šípky'],
    ['S\u030cípky', 'Šípky'],
    ['🥜'.repeat(100), '🥜'.repeat(100)],
  ])('%j, is stored as %j', (given, name) => {
    expect(toFoodName(given)).toBe(name);
  });

  it.each(['', '  ', '\u200b', 'a\0b', 'two\nlines', 'x'.repeat(101), '\ud800x'])(
    '%j, is refused',
    (given) => {
      expect(() => toFoodName(given)).toThrow(HubError);
    },
  );
});
