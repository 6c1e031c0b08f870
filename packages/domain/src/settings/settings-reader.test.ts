import { describe, expect, it } from 'vitest';
import { requireSettingsVersion } from './settings-reader.js';

describe('requireSettingsVersion', () => {
  it.each([
    ['12', 12],
    [undefined, Number.NaN],
    ['new', Number.NaN],
  ])('x-hub-settings of %j, requires version %d and continues', (header, version) => {
    const required: number[] = [];
    const hook = requireSettingsVersion({ requireVersion: (given) => void required.push(given) });
    let isDone = false;
    hook({ headers: { 'x-hub-settings': header } }, undefined, () => {
      isDone = true;
    });
    expect({ required, isDone }).toEqual({ required: [version], isDone: true });
  });
});
