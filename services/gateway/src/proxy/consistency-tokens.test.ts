import { describe, expect, test } from 'vitest';
import { ConsistencyTokens } from './consistency-tokens.js';

function remembered(...tokens: string[]): string {
  const memory = new ConsistencyTokens();
  for (const token of tokens) memory.remember(token);
  return memory.header;
}

describe('ConsistencyTokens', () => {
  test('without a write, is empty', () => {
    expect(remembered()).toBe('');
  });

  test('with responses of one process out of order, keeps the highest', () => {
    expect(remembered('a:2', 'a:10', 'a:9')).toBe('a:10');
  });

  test('with two processes, keeps both', () => {
    expect(remembered('a:1', 'b:7', 'a:2')).toBe('b:7,a:2');
    expect(remembered('a:1, b:7')).toBe('a:1,b:7');
  });

  test('with a seventeenth process, drops the one that wrote least recently', () => {
    const many = Array.from({ length: 16 }, (_, index) => `p${index}:1`);
    const tokens = remembered(...many, 'p0:2', 'new:1').split(',');
    expect(tokens).toHaveLength(16);
    expect(tokens).not.toContain('p1:1');
    expect(tokens).toEqual(expect.arrayContaining(['p0:2', 'p2:1', 'new:1']));
  });

  test.each(['', 'a', 'a:', 'a:x', ':1', 'a b:1', 'a:-1'])(
    'with a malformed token, %j, ignores it',
    (token) => {
      expect(remembered(token)).toBe('');
    },
  );
});
