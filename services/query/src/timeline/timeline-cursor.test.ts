import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCursor, writeCursor } from './timeline-cursor.js';

describe('readCursor', () => {
  it('any place that was written, is the same again', () => {
    const start = fc.integer({
      min: Date.parse('0001-01-01T00:00:00Z'),
      max: Date.parse('9999-12-30T23:59:59Z'),
    });
    fc.assert(
      fc.property(start, fc.maxSafeInteger(), (start, id) => {
        const place = { start, id };
        expect(readCursor(writeCursor(place))).toEqual(place);
      }),
    );
  });

  it.each([
    '',
    'x',
    '!!',
    'MTIz',
    `${writeCursor({ start: 1, id: 2 })}=`,
    writeCursor({ start: 1.5, id: 2 }),
    writeCursor({ start: 1, id: Number.NaN }),
    writeCursor({ start: 999_999_999_999_999, id: 1 }),
  ])('%j, is refused by name', (cursor) => {
    expect(() => readCursor(cursor)).toThrow(/^cursor: /);
  });
});
