import { describe, expect, it } from 'vitest';
import { describeAgo } from './ago';

const now = new Date('2026-05-04T12:00:00Z');

describe('ago', () => {
  it.each([
    ['2026-05-04T12:00:30Z', 'now'],
    ['2026-05-04T11:59:01Z', 'now'],
    ['2026-05-04T11:58:00Z', '2 minutes ago'],
    ['2026-05-04T11:00:00Z', '1 hour ago'],
    ['2026-05-03T12:00:00Z', 'yesterday'],
    ['2026-04-30T11:00:00Z', '4 days ago'],
  ])('of %s, is %s', (instant, expected) => {
    expect(describeAgo('en', new Date(instant), now)).toBe(expected);
  });

  it('in another language, is written in it', () => {
    expect(describeAgo('ru', new Date('2026-05-04T11:55:00Z'), now)).toBe('5 минут назад');
  });
});
