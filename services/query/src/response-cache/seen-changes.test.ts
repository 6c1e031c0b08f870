import { describe, expect, it } from 'vitest';
import { SeenChanges } from './seen-changes.js';

const soon = 5;
const late = 10_000;

describe('waitFor', () => {
  it('changes that were seen, or earlier ones of the same process, is true at once', async () => {
    const seen = new SeenChanges();
    seen.add({ origin: 'a', sequence: 3 });
    seen.add({ origin: 'b', sequence: 1 });
    seen.add({ origin: 'a', sequence: 2 });
    expect(await seen.waitFor('a:3, b:1', 0)).toBe(true);
    expect(await seen.waitFor('a:1', 0)).toBe(true);
  });

  it('one of two is missing, is false after the timeout', async () => {
    const seen = new SeenChanges();
    seen.add({ origin: 'a', sequence: 3 });
    expect(await seen.waitFor('a:3,b:1', soon)).toBe(false);
    expect(await seen.waitFor('a:4', soon)).toBe(false);
  });

  it('seen while it waits, is true at that moment', async () => {
    const seen = new SeenChanges();
    const answer = seen.waitFor('a:2', late);
    seen.add({ origin: 'a', sequence: 1 });
    seen.add({ origin: 'a', sequence: 2 });
    expect(await answer).toBe(true);
  });

  it('a token that names none, is true', async () => {
    expect(await new SeenChanges().waitFor('nonsense', 0)).toBe(true);
  });

  it('a thousand other processes later, forgets one', async () => {
    const seen = new SeenChanges();
    seen.add({ origin: 'old', sequence: 1 });
    for (let number = 0; number < 1_000; number += 1) seen.add({ origin: `o${number}`, sequence: 1 });
    expect(await seen.waitFor('old:1', soon)).toBe(false);
    expect(await seen.waitFor('o0:1,o999:1', soon)).toBe(true);
  });
});

describe('addTokens', () => {
  it('changes that never came, count as seen from then on and later ones do not', async () => {
    const seen = new SeenChanges();
    seen.add({ origin: 'a', sequence: 3 });
    const waiting = seen.waitFor('b:7', late);
    seen.addTokens('a:1,b:7');
    expect(await waiting).toBe(true);
    expect(await seen.waitFor('a:3,b:7', 0)).toBe(true);
    expect(await seen.waitFor('b:8', soon)).toBe(false);
  });
});
