import { describe, expect, test } from 'vitest';
import { adviceKey, isIdle, parts } from './status-words';
import en from './texts/en.json';

describe('adviceKey', () => {
  test('a part that is well, needs nothing', () => expect(adviceKey('video', 'ok')).toBeUndefined());

  test('a processor that was never heard of, needs to be set up', () => {
    expect(adviceKey('processor', 'unknown')).toBe('advice.processor');
  });

  test.each(parts)('%s in trouble, has a text that says what to do', (part) => {
    expect(en).toHaveProperty([adviceKey(part, 'error') ?? '']);
  });
});

test.each([
  ['not_used', true],
  ['not_configured', true],
  ['error', false],
  ['ok', false],
] as const)('a part that is %s, is idle: %s', (state, expected) => expect(isIdle(state)).toBe(expected));
