import { describe, expect, test } from 'vitest';
import { isPage, reviewTarget, withBase } from './web.routes.js';

const browser = 'text/html,application/xhtml+xml,*/*;q=0.8';

describe('isPage', () => {
  test.each(['/', '/timeline', '/videos/12', '/species/3', '/cameras/garden.2', '/no-such-page'])(
    '%s in a browser, is a page',
    (path) => {
      expect(isPage(path, browser)).toBe(true);
    },
  );

  test.each(['/api/ui/nothing', '/api', '/data/recordings/a.mp4', '/assets/old.js', '/icon.svg', '/metrics'])(
    '%s in a browser, is not a page',
    (path) => {
      expect(isPage(path, browser)).toBe(false);
    },
  );

  test.each(['/', '/timeline'])('%s of the contract for a program, is a page', (path) => {
    expect(isPage(path, '*/*')).toBe(true);
  });

  test.each([undefined, '*/*', 'application/json'])(
    'another address for a program that accepts %s, is not a page',
    (accept) => {
      expect(isPage('/videos/12', accept)).toBe(false);
    },
  );
});

describe('withBase', () => {
  const page = '<head><base href="/" /><script src="./a.js"></script></head>';

  test('without a prefix, has the root as base', () => expect(withBase(page, '')).toBe(page));

  test('with a prefix, has it as base', () => {
    expect(withBase(page, '/birds/hub')).toContain('<base href="/birds/hub/" />');
  });
});

describe('reviewTarget', () => {
  const cases: [string, string, string][] = [
    ['/unknowns', '', '/timeline?review=1'],
    ['/unknowns?', '', '/timeline?review=1'],
    ['/unknowns?date=2026-05-01&limit=5', '', '/timeline?review=1&date=2026-05-01&limit=5'],
    ['/unknowns?review=0&a=1&review=1', '', '/timeline?review=1&a=1'],
    ['/unknowns?%72eview=2&reviewed=1', '', '/timeline?review=1&reviewed=1'],
    ['/unknowns?a=b%26c&d', '/birds/hub', '/birds/hub/timeline?review=1&a=b%26c&d'],
    ['/unknowns?a=x?y', '', '/timeline?review=1&a=x?y'],
  ];
  test.each(cases)('%s below %j, is %s', (url, prefix, expected) => {
    expect(reviewTarget(url, prefix)).toBe(expected);
  });
});
