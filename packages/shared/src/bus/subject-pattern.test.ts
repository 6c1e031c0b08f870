import { expect, test } from 'vitest';
import { matchesSubject } from './subject-pattern.js';

test.each([
  ['hub.v1.job.finished', 'hub.v1.job.finished', true],
  ['hub.v1.job.finished', 'hub.v1.job.started', false],
  ['hub.v1.job.*', 'hub.v1.job.finished', true],
  ['hub.v1.job.*', 'hub.v1.job', false],
  ['hub.v1.job.*', 'hub.v1.job.a.b', false],
  ['hub.v1.>', 'hub.v1.job.finished', true],
  ['hub.v1.>', 'hub.v1', false],
  ['hub.v1.>', 'hub.v2.job.finished', false],
  ['hub.v1.job', 'hub.v1.job.finished', false],
])('matchesSubject, %s against %s, is %s', (pattern, subject, expected) => {
  expect(matchesSubject(pattern, subject)).toBe(expected);
});
