import { describe, expect, it } from 'vitest';
import { withDefaults } from './effective-settings.js';
import { defaultSettings } from './schema.js';
import { requireSettingsVersion, requireUnlocked } from './settings.js';

const open = defaultSettings('UTC');
const guarded = withDefaults({ general: { require_auth_for_video_stream: true } }, 'UTC');
const by = (caller?: string) => ({ headers: caller === undefined ? {} : { 'x-hub-caller': caller } });

describe('requireUnlocked', () => {
  it('with open recordings, lets every client pass', () => {
    expect(() => requireUnlocked(by('viewer'), open)).not.toThrow();
    expect(() => requireUnlocked(by(), open)).not.toThrow();
  });

  it.each(['contributor', 'admin'])('with locked recordings, lets the %s pass', (caller) => {
    expect(() => requireUnlocked(by(caller), guarded)).not.toThrow();
  });

  it.each(['viewer', '', undefined])('with locked recordings, rejects %j', (caller) => {
    expect(() => requireUnlocked(by(caller), guarded)).toThrow('Unlock the hub first.');
  });
});

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
