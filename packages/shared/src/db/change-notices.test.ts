import { describe, expect, it } from 'vitest';
import { type Change, compactChanges } from './change-notices.js';

const span = (from: number, to: number): Change => ({ kind: 'recordings', from, to });
const spans = (count: number) => Array.from({ length: count }, (_, at) => span(at * 10, at * 10 + 5));

describe('compactChanges', () => {
  it('few spans, are unchanged', () => {
    expect(compactChanges(spans(32))).toEqual(spans(32));
  });

  it('too many spans, become one that covers them all', () => {
    expect(compactChanges([...spans(33), span(-7, 1)])).toEqual([span(-7, 325)]);
  });

  it('a repeated kind, is listed once, before the spans', () => {
    const changes: Change[] = [{ kind: 'species' }, span(1, 2), { kind: 'settings' }, { kind: 'species' }];
    expect(compactChanges(changes)).toEqual([{ kind: 'species' }, { kind: 'settings' }, span(1, 2)]);
  });

  it('no changes, return none', () => {
    expect(compactChanges([])).toEqual([]);
  });

  it('the maximum number of changes, fits into a PostgreSQL notification', () => {
    const far = 8_640_000_000_000_000;
    const changes: Change[] = [
      ...Array.from({ length: 32 }, () => span(-far, far)),
      { kind: 'species' },
      { kind: 'settings' },
      { kind: 'weather' },
      { kind: 'everything' },
    ];
    const notice = { origin: 'x'.repeat(8), sequence: far, changes: compactChanges(changes) };
    expect(Buffer.byteLength(JSON.stringify(notice))).toBeLessThan(8_000);
  });
});
