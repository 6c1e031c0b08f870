import { hash } from '@node-rs/argon2';
import { describe, expect, it } from 'vitest';
import { dummyHash, hashPassword, needsRehash, verifyPassword } from './passwords.js';

describe('hashPassword', () => {
  it('a password twice, gives two argon2id hashes of the declared cost without the password in them', async () => {
    const hashes = [await hashPassword('grünfink'), await hashPassword('grünfink')];
    expect(hashes[0]).not.toBe(hashes[1]);
    for (const text of hashes) expect(text).toMatch(/^\$argon2id\$v=19\$m=47104,t=2,p=1\$/);
  });

  it('while it works, the event loop is free', async () => {
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 1);
    await hashPassword('x');
    clearInterval(timer);
    expect(turns).toBeGreaterThan(3);
  });
});

describe('verifyPassword', () => {
  it.each(['grünfink', 'x', ' ', 'a'.repeat(4_096)])(
    'the password %j, is recognised by its hash alone',
    async (text) => {
      const stored = await hashPassword(text);
      expect(await verifyPassword(stored, text)).toBe(true);
      expect(await verifyPassword(stored, `${text}.`)).toBe(false);
    },
  );

  it('an empty password, matches nothing, not even its own hash', async () => {
    const stored = [await hashPassword(''), '', dummyHash];
    expect(await Promise.all(stored.map((hashed) => verifyPassword(hashed, '')))).toEqual([
      false,
      false,
      false,
    ]);
  });

  it('a password that was stored as it is, is recognised', async () => {
    expect(await verifyPassword('plain', 'plain')).toBe(true);
    expect(await verifyPassword('plain', 'plainer')).toBe(false);
  });

  it.each(['', dummyHash])('nothing set (%j), is matched by no password', async (stored) => {
    expect(await verifyPassword(stored, 'x')).toBe(false);
  });
});

describe('needsRehash', () => {
  it('a new hash and the dummy, do not', async () => {
    expect([needsRehash(await hashPassword('x')), needsRehash(dummyHash)]).toEqual([false, false]);
  });

  it('a plain password and hashes of another cost, do', async () => {
    const weak = await hash('x', { memoryCost: 8_192, timeCost: 2, parallelism: 1 });
    const quick = await hash('x', { memoryCost: 47_104, timeCost: 1, parallelism: 1 });
    expect(['plain', '', weak, quick].map(needsRehash)).toEqual([true, true, true, true]);
  });
});
