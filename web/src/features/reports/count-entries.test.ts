import { describe, expect, it } from 'vitest';
import { createEntryCounter } from './count-entries';

const header = [0x50, 0x4b, 3, 4];
const archive = new Uint8Array([...header, 9, 9, 0x50, ...header, 0x50, 0x4b, 1, 2]);

describe('createEntryCounter', () => {
  it('an archive in one piece, has as many files as headers', () => {
    expect(createEntryCounter()(archive)).toBe(2);
  });

  it.each([1, 2, 3, 5])('an archive in pieces of %i bytes, has as many', (size) => {
    const count = createEntryCounter();
    let entries = 0;
    for (let start = 0; start < archive.length; start += size)
      entries = count(archive.slice(start, start + size));
    expect(entries).toBe(2);
  });
});
