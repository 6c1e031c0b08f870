import { describe, expect, it } from 'vitest';
import { createSecretBox, isSealed, LostKeyError } from './secret-box.js';
import { givenKeys } from './secret-keys.js';

const box = createSecretBox(givenKeys('first key'));

describe('secret box', () => {
  it.each(['hunter2', '', 'ü🐦\u0000', 'x'.repeat(100_000), 42, 0.5, 'sealed:1:00000000:AAAA'])(
    'a sealed value, %j, is unreadable and opens unchanged',
    (value) => {
      const sealed = box.seal(value);
      expect(isSealed(sealed)).toBe(true);
      expect(box.open(sealed)).toBe(value);
      expect(Buffer.from(sealed.split(':')[3] ?? '', 'base64url').toString('latin1')).not.toContain(
        'hunter2',
      );
    },
  );

  it('the same value twice, is sealed differently', () => {
    expect(box.seal('x')).not.toBe(box.seal('x'));
  });

  it('several keys, seal with the first and open with all', () => {
    const old = box.seal('x');
    const both = createSecretBox(givenKeys(' second key , first key,'));
    const sealed = both.seal('y');
    expect([both.open(old), both.open(sealed)]).toEqual(['x', 'y']);
    expect([both.isSealedWith('second key', sealed), both.isSealedWith('first key', sealed)]).toEqual([
      true,
      false,
    ]);
    expect(createSecretBox(givenKeys('second key')).open(sealed)).toBe('y');
  });

  it('a missing key, throws LostKeyError', () => {
    const sealed = createSecretBox(givenKeys('another')).seal('x');
    expect(() => box.open(sealed)).toThrow(LostKeyError);
  });

  it('a key added later, is used without a restart', () => {
    let keys = ['first key'];
    const watching = createSecretBox({ read: () => keys, readOrCreate: () => keys });
    watching.open(box.seal('x'));
    keys = ['new key', 'first key'];
    expect(watching.open(createSecretBox(givenKeys('new key')).seal('y'))).toBe('y');
    expect(watching.isSealedWith('new key', watching.seal('z'))).toBe(true);
  });

  it('a sealed text changed in any place, does not open', () => {
    const sealed = box.seal('hunter2');
    for (let index = 'sealed:1:'.length; index < sealed.length; index += 1) {
      const other = sealed[index] === 'b' ? 'd' : 'b';
      const forged = sealed.slice(0, index) + other + sealed.slice(index + 1);
      if (forged[17] === ':') expect(() => box.open(forged)).toThrow(LostKeyError);
    }
    for (const short of ['sealed:1:00000000:A', `${sealed.slice(0, 30)}`]) {
      expect(() => box.open(short)).toThrow(LostKeyError);
    }
  });

  it.each(['', '***', 'sealed:', 'sealed:1:x:y', 'sealed:2:00000000:AAAA', 7, null])(
    '%j, is not sealed',
    (value) => {
      expect(isSealed(value)).toBe(false);
    },
  );
});
