import { describe, expect, test } from 'vitest';
import { isPage, placePage } from './place-page.js';

const browser = 'text/html,application/xhtml+xml,*/*;q=0.8';

describe('isPage', () => {
  test.each(['/', '/timeline', '/videos/12', '/species/3', '/no-such-page'])(
    'of %s in a browser, is',
    (path) => {
      expect(isPage(path, browser)).toBe(true);
    },
  );

  test.each(['/api/ui/nothing', '/api', '/data/recordings/a.mp4', '/assets/old.js', '/icon.svg', '/metrics'])(
    'of %s in a browser, is not',
    (path) => {
      expect(isPage(path, browser)).toBe(false);
    },
  );

  test.each(['/', '/timeline'])('of %s, where the contract leads, for a program, is', (path) => {
    expect(isPage(path, '*/*')).toBe(true);
  });

  test.each([undefined, '*/*', 'application/json'])(
    'of another address for a program that takes %s, is not',
    (accept) => {
      expect(isPage('/videos/12', accept)).toBe(false);
    },
  );
});

describe('placePage', () => {
  const page = '<head><base href="/" /><script src="./a.js"></script></head>';

  test('without a prefix, stands at the root', () => expect(placePage(page, '')).toBe(page));

  test('below a prefix, stands there', () => {
    expect(placePage(page, '/birds/hub')).toContain('<base href="/birds/hub/" />');
  });
});
