import type { LookupAddress } from 'node:dns';
import { describe, expect, it } from 'vitest';
import { createReplicaLookup } from './replica-lookup.js';

const replicas = ['172.28.44.3', '172.28.44.4', '172.28.44.5'].map((address) => ({ address, family: 4 }));
const named = (found: LookupAddress[]) =>
  createReplicaLookup(
    () => 0.5,
    (_name, _options, done) => done(null, found),
  );

describe('createReplicaLookup', () => {
  it('a name of three replicas, begins at any one and keeps the others for when it is away', () => {
    named(replicas)('query', { all: true }, (error, found) => {
      expect(error).toBeNull();
      expect(found).toEqual([replicas[1], replicas[2], replicas[0]]);
    });
    expect.assertions(2);
  });

  it('one address is asked for, is that one', () => {
    named(replicas)('query', {}, (error, address, family) => {
      expect([error, address, family]).toEqual([null, '172.28.44.4', 4]);
    });
    expect.assertions(1);
  });

  it('a name that is not known, is the error of the lookup', () => {
    const unknown = new Error('ENOTFOUND');
    const look = createReplicaLookup(Math.random, (_name, _options, done) => done(unknown, []));
    look('query', { all: true }, (error) => expect(error).toBe(unknown));
    expect.assertions(1);
  });
});
