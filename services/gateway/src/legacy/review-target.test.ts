import { expect, test } from 'vitest';
import { reviewTarget } from './review-target.js';

const cases: [string, string, string][] = [
  ['/unknowns', '', '/timeline?review=1'],
  ['/unknowns?', '', '/timeline?review=1'],
  ['/unknowns?date=2026-05-01&limit=5', '', '/timeline?review=1&date=2026-05-01&limit=5'],
  ['/unknowns?review=0&a=1&review=1', '', '/timeline?review=1&a=1'],
  ['/unknowns?%72eview=2&reviewed=1', '', '/timeline?review=1&reviewed=1'],
  ['/unknowns?a=b%26c&d', '/birds/hub', '/birds/hub/timeline?review=1&a=b%26c&d'],
  ['/unknowns?a=x?y', '', '/timeline?review=1&a=x?y'],
];

test.each(cases)('reviewTarget, %s below %j, is %s', (url, prefix, expected) => {
  expect(reviewTarget(url, prefix)).toBe(expected);
});
