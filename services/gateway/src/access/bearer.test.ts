import { describe, expect, test } from 'vitest';
import { judgeBearer } from './bearer.js';

describe('judgeBearer', () => {
  test.each(['Bearer t0ken', 'bearer t0ken', 'BEARER   t0ken'])(
    'the right token, as %j, is shown',
    (header) => {
      expect(judgeBearer(header, 't0ken')).toBe('right');
    },
  );

  test.each([undefined, '', 'Basic dDBrZW4=', 'Digest x', 'Bearers t0ken'])(
    'no bearer, as %j, is nothing to look at',
    (header) => {
      expect(judgeBearer(header, 't0ken')).toBe('none');
      expect(judgeBearer(header, undefined)).toBe('none');
    },
  );

  test.each(['Bearer other', 'Bearer', 'Bearer ', 'Bearer t0ken x', 'Bearer T0KEN'])(
    'a wrong token, as %j, is refused',
    (header) => {
      expect(judgeBearer(header, 't0ken')).toBe('wrong');
      expect(judgeBearer(header, undefined)).toBe('wrong');
    },
  );
});
