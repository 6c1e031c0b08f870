import { describe, expect, it } from 'vitest';
import { copyLine, timestamp } from './copy-text.js';

describe('copyLine', () => {
  it('values, plain, stand between tabs', () => {
    expect(copyLine([1, 'Great Tit', -0.5])).toBe('1\tGreat Tit\t-0.5\n');
  });

  it('null, among values, is written as COPY has it and unlike the text', () => {
    expect(copyLine([null, '\\N'])).toBe('\\N\t\\\\N\n');
  });

  it('characters, that end a field or a line, are escaped', () => {
    expect(copyLine(['a\tb\nc\r\\'])).toBe('a\\tb\\nc\\r\\\\\n');
  });
});

describe('timestamp', () => {
  it('instant, with milliseconds, is written in UTC', () => {
    expect(timestamp(Date.UTC(2025, 9, 19, 7, 30, 0, 5))).toBe('2025-10-19T07:30:00.005Z');
  });
});
