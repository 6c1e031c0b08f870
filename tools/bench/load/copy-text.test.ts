import { describe, expect, it } from 'vitest';
import { copyLine, timestamp } from './copy-text.js';

describe('copyLine', () => {
  it('with plain values, separates them by tabs', () => {
    expect(copyLine([1, 'Great Tit', -0.5])).toBe('1\tGreat Tit\t-0.5\n');
  });

  it('with null, writes the marker of COPY and escapes the same text', () => {
    expect(copyLine([null, '\\N'])).toBe('\\N\t\\\\N\n');
  });

  it('with characters that end a field or a line, escapes them', () => {
    expect(copyLine(['a\tb\nc\r\\'])).toBe('a\\tb\\nc\\r\\\\\n');
  });
});

describe('timestamp', () => {
  it('with milliseconds, writes the instant in UTC', () => {
    expect(timestamp(Date.UTC(2025, 9, 19, 7, 30, 0, 5))).toBe('2025-10-19T07:30:00.005Z');
  });
});
