import { describe, expect, test } from 'vitest';
import { parseOrigins } from './browser-headers.js';

describe('parseOrigins', () => {
  test('a list with spaces and empty entries, is read as its origins', () => {
    const origins = parseOrigins('https://birds.example, http://192.0.2.7:5173,,http://[::1]:3000');
    expect([...origins]).toEqual(['https://birds.example', 'http://192.0.2.7:5173', 'http://[::1]:3000']);
    expect(parseOrigins('').size).toBe(0);
  });

  test.each([
    '*',
    'null',
    'birds.example',
    'https://birds.example/',
    'https://Birds.example',
    'https://b:443',
    'ftp://b',
  ])('an invalid entry, %s, is named in the error', (entry) => {
    expect(() => parseOrigins(`https://a.example,${entry}`)).toThrow(`CORS_ORIGINS: ${entry}`);
  });
});
