import { LauncherError } from '@birdhub/launcher/launcher-error';
import { describe, expect, it } from 'vitest';
import { keepKeys, openKeys } from './wrapped-keys.js';

const keys = ['first of two', 'second'];

describe('keepKeys and openKeys', () => {
  it('keys without a passphrase, come back, also when one is named', async () => {
    const kept = await keepKeys(keys, undefined);
    expect(await openKeys(kept, undefined)).toEqual(keys);
    expect(await openKeys(kept, 'words')).toEqual(keys);
  });

  it('keys with a passphrase, come back with it and are not to be seen', async () => {
    const kept = await keepKeys(keys, 'Wörter und Zahlen');
    expect(kept.toString('latin1')).not.toContain('first');
    expect(await openKeys(kept, 'Wörter und Zahlen')).toEqual(keys);
  });

  it('keys with another passphrase or none, are refused in one sentence', async () => {
    const kept = await keepKeys(keys, 'words');
    await expect(openKeys(kept, 'Words')).rejects.toThrow(LauncherError);
    await expect(openKeys(kept, undefined)).rejects.toThrow('needs its passphrase');
  });
});
