import { hash } from '@node-rs/argon2';
import { describe, expect, it } from 'vitest';
import { dummyHash, hashPassword, needsRehash, verifyPassword } from './passwords.js';

describe('hashPassword', () => {
  it('a password hashed twice, returns two argon2id hashes of the configured cost', async () => {
    const hashes = [await hashPassword('grünfink'), await hashPassword('grünfink')];
    expect(hashes[0]).not.toBe(hashes[1]);
    for (const text of hashes) expect(text).toMatch(/^\$argon2id\$v=19\$m=47104,t=2,p=1\$/);
  });

  it('during a hash, the event loop is not blocked', async () => {
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
    'the password %j, matches its hash, another does not',
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

  it('a password stored in clear, matches', async () => {
    expect(await verifyPassword('plain', 'plain')).toBe(true);
    expect(await verifyPassword('plain', 'plainer')).toBe(false);
  });

  it.each(['', dummyHash])('without a stored password (%j), matches nothing', async (stored) => {
    expect(await verifyPassword(stored, 'x')).toBe(false);
  });
});

describe('needsRehash', () => {
  it('a new hash and the dummy, need none', async () => {
    expect([needsRehash(await hashPassword('x')), needsRehash(dummyHash)]).toEqual([false, false]);
  });

  it('a plain password and hashes of another cost, need one', async () => {
    const weak = await hash('x', { memoryCost: 8_192, timeCost: 2, parallelism: 1 });
    const quick = await hash('x', { memoryCost: 47_104, timeCost: 1, parallelism: 1 });
    expect(['plain', '', weak, quick].map(needsRehash)).toEqual([true, true, true, true]);
  });
});
