import { describe, expect, it } from 'vitest';
import { mayBePart } from './preconditions.js';

const modifiedMs = Date.UTC(2026, 4, 1, 8, 0, 0, 500);
const file = { etag: '"a-b-c"', modifiedMs };
const date = (at: number) => new Date(at).toUTCString();

describe('mayBePart', () => {
  it.each([[{}], [{ 'if-range': '"a-b-c"' }], [{ 'if-range': date(modifiedMs) }]])('%j, holds', (headers) => {
    expect(mayBePart(headers, file)).toBe(true);
  });

  it.each([
    [{ 'if-range': '"other"' }],
    [{ 'if-range': 'W/"a-b-c"' }],
    [{ 'if-range': date(modifiedMs + 1_000) }],
    [{ 'if-range': 'nonsense' }],
  ])('%j, does not hold', (headers) => {
    expect(mayBePart(headers, file)).toBe(false);
  });
});
