import { describe, expect, it } from 'vitest';
import { requestUrl } from './request-url.js';

describe('requestUrl', () => {
  it.each(['http://h/v2', 'http://h/v2/', 'http://h/v2//'])(
    'the base %s, keeps its own path once',
    (base) => {
      expect(requestUrl(base, '/data/obs').href).toBe('http://h/v2/data/obs');
    },
  );

  it('parameters, are escaped, and what is not set is left out', () => {
    const url = requestUrl('http://h', '/r', { query: 'gen:"Parus"&x', key: undefined, back: 30 });
    expect([...url.searchParams]).toEqual([
      ['query', 'gen:"Parus"&x'],
      ['back', '30'],
    ]);
  });
});
