import { describe, expect, it } from 'vitest';
import { requireUnlocked } from './require-unlocked.js';
import { defaultSettings } from './settings-schema.js';
import { withDefaults } from './with-defaults.js';

const open = defaultSettings('UTC');
const guarded = withDefaults({ general: { require_auth_for_video_stream: true } }, 'UTC');
const by = (caller?: string) => ({ headers: caller === undefined ? {} : { 'x-hub-caller': caller } });

describe('requireUnlocked', () => {
  it('recordings are open, lets everybody pass', () => {
    expect(() => requireUnlocked(by('viewer'), open)).not.toThrow();
    expect(() => requireUnlocked(by(), open)).not.toThrow();
  });

  it.each(['contributor', 'admin'])('recordings are guarded, lets the %s pass', (caller) => {
    expect(() => requireUnlocked(by(caller), guarded)).not.toThrow();
  });

  it.each(['viewer', '', undefined])('recordings are guarded, refuses %j', (caller) => {
    expect(() => requireUnlocked(by(caller), guarded)).toThrow('Unlock the hub first.');
  });
});
