import { describe, expect, test } from 'vitest';
import { clearSessionCookie, setSessionCookie, tokensIn } from './sessions.js';

describe('tokensIn', () => {
  test.each([
    [undefined, []],
    ['', []],
    ['theme=dark', []],
    ['xhub_session=a; hub_sessions=b', []],
    ['hub_session=a', ['a']],
    ['theme=dark; hub_session=a-_b ;other=1', ['a-_b']],
    ['hub_session=a; x=hub_session=c; hub_session=b', ['a', 'b']],
    [Array.from({ length: 9 }, (_, n) => `hub_session=${n}`).join(';'), ['0', '1', '2', '3']],
  ])('for the header %j, returns %j', (header, expected) => {
    expect(tokensIn(header)).toEqual(expected);
  });
});

describe('the cookie', () => {
  test('over plain HTTP at the root, is SameSite and HttpOnly', () => {
    expect(setSessionCookie('t', { prefix: '', isHttps: false })).toBe(
      'hub_session=t; Max-Age=2678400; Path=/; HttpOnly; SameSite=Strict',
    );
  });

  test('over HTTPS below a path, has the same attributes when set and when cleared', () => {
    const place = { prefix: '/birds/hub', isHttps: true };
    const attributes = 'Path=/birds/hub; HttpOnly; Secure; SameSite=Strict';
    expect(setSessionCookie('t', place)).toBe(`hub_session=t; Max-Age=2678400; ${attributes}`);
    expect(clearSessionCookie(place)).toBe(`hub_session=; Max-Age=0; ${attributes}`);
  });
});
