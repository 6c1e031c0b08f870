import { LauncherError } from '@birdhub/launcher/launcher-error';
import { describe, expect, it } from 'vitest';
import { unwrapKeys, wrapKeys } from './wrapped-keys.js';

const keys = ['first of two', 'second'];

describe('wrapKeys and unwrapKeys', () => {
  it('keys without a passphrase, are read back, even when a passphrase is given', async () => {
    const kept = await wrapKeys(keys, undefined);
    expect(await unwrapKeys(kept, undefined)).toEqual(keys);
    expect(await unwrapKeys(kept, 'words')).toEqual(keys);
  });

  it('keys with a passphrase, are encrypted and read back with it', async () => {
    const kept = await wrapKeys(keys, 'Wörter und Zahlen');
    expect(kept.toString('latin1')).not.toContain('first');
    expect(await unwrapKeys(kept, 'Wörter und Zahlen')).toEqual(keys);
  });

  it('keys with a wrong passphrase or none, are refused in one sentence', async () => {
    const kept = await wrapKeys(keys, 'words');
    await expect(unwrapKeys(kept, 'Words')).rejects.toThrow(LauncherError);
    await expect(unwrapKeys(kept, undefined)).rejects.toThrow('needs its passphrase');
  });

  it.each([2 ** 21, 2 ** 40, 100_000, 1, 0, -2, 1.5, '131072x', null])(
    'keys with the cost %j, are refused before the passphrase is tried',
    async (cost) => {
      const stored = JSON.parse((await wrapKeys(keys, 'words')).toString());
      const forged = Buffer.from(JSON.stringify({ wrapped: { ...stored.wrapped, cost } }));
      await expect(unwrapKeys(forged, 'words')).rejects.toThrow(`a cost of ${cost}`);
    },
  );
});
