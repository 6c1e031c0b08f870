import { describe, expect, test } from 'vitest';
import { showsToken } from './bearer.js';

describe('showsToken', () => {
  test.each(['Bearer t0ken', 'bearer t0ken', 'BEARER   t0ken'])(
    'the right token, as %j, is shown',
    (header) => {
      expect(showsToken(header, 't0ken')).toBe(true);
    },
  );

  test.each([undefined, '', 'Basic dDBrZW4=', 'Digest x', 'Bearers t0ken'])(
    'no bearer, as %j, is nothing to look at',
    (header) => {
      expect(showsToken(header, 't0ken')).toBe(false);
      expect(showsToken(header, undefined)).toBe(false);
    },
  );

  test.each(['Bearer other', 'Bearer', 'Bearer ', 'Bearer t0ken x', 'Bearer T0KEN'])(
    'a wrong token, as %j, is refused',
    (header) => {
      expect(() => showsToken(header, 't0ken')).toThrow('token');
      expect(() => showsToken(header, undefined)).toThrow('token');
    },
  );
});
