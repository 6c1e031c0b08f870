import { describe, expect, it } from 'vitest';
import { licenceName } from './licence-name';

describe('licenceName', () => {
  it.each([
    ['https://creativecommons.org/licenses/by-nc-sa/4.0/', 'CC BY-NC-SA 4.0'],
    ['//creativecommons.org/licenses/by/3.0', 'CC BY 3.0'],
    ['https://creativecommons.org/publicdomain/zero/1.0/', 'CC0'],
    ['https://example.org/mine', undefined],
  ])('%s, is called %s', (address, name) => {
    expect(licenceName(address)).toBe(name);
  });
});
