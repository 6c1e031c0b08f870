import type { LookupAddress } from 'node:dns';
import { describe, expect, test } from 'vitest';
import { createReplicaLookup } from './upstreams.js';

const replicas = ['172.28.44.3', '172.28.44.4', '172.28.44.5'].map((address) => ({ address, family: 4 }));
const named = (found: LookupAddress[]) =>
  createReplicaLookup(
    () => 0.5,
    (_name, _options, done) => done(null, found),
  );

describe('createReplicaLookup', () => {
  test('a name of three replicas, starts at a random one and keeps the others as alternatives', () => {
    named(replicas)('query', { all: true }, (error, found) => {
      expect(error).toBeNull();
      expect(found).toEqual([replicas[1], replicas[2], replicas[0]]);
    });
    expect.assertions(2);
  });

  test('a lookup of one address, returns the first of them', () => {
    named(replicas)('query', {}, (error, address, family) => {
      expect([error, address, family]).toEqual([null, '172.28.44.4', 4]);
    });
    expect.assertions(1);
  });

  test('an unknown name, returns the error of the lookup', () => {
    const unknown = new Error('ENOTFOUND');
    const look = createReplicaLookup(Math.random, (_name, _options, done) => done(unknown, []));
    look('query', { all: true }, (error) => expect(error).toBe(unknown));
    expect.assertions(1);
  });
});
