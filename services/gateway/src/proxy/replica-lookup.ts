import { type LookupAddress, lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';

type Resolve = (
  hostname: string,
  options: { all: true },
  callback: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void;

/**
 * Looks a name up and begins at any one of its addresses: the system's order is the same each time, which would send
 * all connections to one of the replicas that a name stands for.
 */
export function createReplicaLookup(random = Math.random, resolve: Resolve = lookup): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, found = []) => {
      if (error) return callback(error, []);
      const first = Math.floor(random() * found.length);
      const turned = [...found.slice(first), ...found.slice(0, first)];
      if (options.all) return callback(null, turned);
      const [{ address, family } = { address: '', family: 0 }] = turned;
      callback(null, address, family);
    });
  };
}
