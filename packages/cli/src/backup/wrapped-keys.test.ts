import { LauncherError } from '@birdhub/launcher/launcher-error';
import { describe, expect, it } from 'vitest';
import { unwrapKeys, wrapKeys } from './wrapped-keys.js';

const keys = ['first of two', 'second'];

describe('wrapKeys and unwrapKeys', () => {
  it('keys without a passphrase, come back, also when one is named', async () => {
    const kept = await wrapKeys(keys, undefined);
    expect(await unwrapKeys(kept, undefined)).toEqual(keys);
    expect(await unwrapKeys(kept, 'words')).toEqual(keys);
  });

  it('keys with a passphrase, come back with it and are not to be seen', async () => {
    const kept = await wrapKeys(keys, 'Wörter und Zahlen');
    expect(kept.toString('latin1')).not.toContain('first');
    expect(await unwrapKeys(kept, 'Wörter und Zahlen')).toEqual(keys);
  });

  it('keys with another passphrase or none, are refused in one sentence', async () => {
    const kept = await wrapKeys(keys, 'words');
    await expect(unwrapKeys(kept, 'Words')).rejects.toThrow(LauncherError);
    await expect(unwrapKeys(kept, undefined)).rejects.toThrow('needs its passphrase');
  });
});
