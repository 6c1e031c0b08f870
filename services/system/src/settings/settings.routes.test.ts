import { describe, expect, it } from 'vitest';
import { settingsTag, versionsOf } from './settings.routes.js';

describe('settingsTag', () => {
  it('different versions or contents, have different tags', () => {
    const tags = [settingsTag(1, 'a'), settingsTag(2, 'a'), settingsTag(1, 'b')];
    expect(new Set(tags).size).toBe(3);
    for (const tag of tags) expect(tag).toMatch(/^W\/"[12]\.[\w-]+"$/);
  });
});

describe('versionsOf', () => {
  it.each<[string | undefined, number[] | undefined]>([
    [undefined, undefined],
    [' * ', undefined],
    [settingsTag(12, 'a'), [12]],
    ['"12"', [12]],
    ['"3", W/"4.abc"', [3, 4]],
    ['"other"', []],
    ['"12x"', []],
    ['nonsense', []],
  ])('If-Match: %s, allows %j', (header, versions) => {
    expect(versionsOf(header)).toEqual(versions);
  });
});
