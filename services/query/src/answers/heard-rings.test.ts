import { describe, expect, it } from 'vitest';
import { createHeardRings } from './heard-rings.js';

const soon = 5;
const late = 10_000;

describe('haveHeard', () => {
  it('rings that were heard, or earlier ones of the same process, at once true', async () => {
    const rings = createHeardRings();
    rings.hear({ origin: 'a', sequence: 3 });
    rings.hear({ origin: 'b', sequence: 1 });
    rings.hear({ origin: 'a', sequence: 2 });
    expect(await rings.haveHeard('a:3, b:1', 0)).toBe(true);
    expect(await rings.haveHeard('a:1', 0)).toBe(true);
  });

  it('one of two is missing, waits and gives up', async () => {
    const rings = createHeardRings();
    rings.hear({ origin: 'a', sequence: 3 });
    expect(await rings.haveHeard('a:3,b:1', soon)).toBe(false);
    expect(await rings.haveHeard('a:4', soon)).toBe(false);
  });

  it('heard while it waits, is true at that moment', async () => {
    const rings = createHeardRings();
    const answer = rings.haveHeard('a:2', late);
    rings.hear({ origin: 'a', sequence: 1 });
    rings.hear({ origin: 'a', sequence: 2 });
    expect(await answer).toBe(true);
  });

  it('a header that names none, is true', async () => {
    expect(await createHeardRings().haveHeard('nonsense', 0)).toBe(true);
  });

  it('a thousand other processes later, one is forgotten', async () => {
    const rings = createHeardRings();
    rings.hear({ origin: 'old', sequence: 1 });
    for (let number = 0; number < 1_000; number += 1) rings.hear({ origin: `o${number}`, sequence: 1 });
    expect(await rings.haveHeard('old:1', soon)).toBe(false);
    expect(await rings.haveHeard('o0:1,o999:1', soon)).toBe(true);
  });
});

describe('takeAsHeard', () => {
  it('rings that never came, are heard from then on and later ones are not', async () => {
    const rings = createHeardRings();
    rings.hear({ origin: 'a', sequence: 3 });
    const waiting = rings.haveHeard('b:7', late);
    rings.takeAsHeard('a:1,b:7');
    expect(await waiting).toBe(true);
    expect(await rings.haveHeard('a:3,b:7', 0)).toBe(true);
    expect(await rings.haveHeard('b:8', soon)).toBe(false);
  });
});
