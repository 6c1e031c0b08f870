import { describe, expect, it } from 'vitest';
import { readCursor, writeCursor } from './timeline-cursor.js';

describe('readCursor', () => {
  it.each([
    { start: Date.UTC(2026, 4, 1, 8, 0, 0, 125), id: 42 },
    { start: 0, id: 1 },
    { start: Date.UTC(1969, 6, 20), id: -7 },
    { start: Date.parse('0001-01-01T00:00:00Z'), id: Number.MAX_SAFE_INTEGER },
    { start: Date.parse('9999-12-30T23:59:59.999Z'), id: -Number.MAX_SAFE_INTEGER },
  ])('%j that was written, is the same again', (place) => {
    expect(readCursor(writeCursor(place))).toEqual(place);
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
