import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** All addresses of IPv6 that are routed on the internet so far; `ipaddr.js` counts the rest as unicast, too. */
const globalUnicast = ipaddr.parseCIDR('2000::/3');

/** Whether an IP address is one of the open internet (IANA special-purpose registries); false for what is none. */
export function isPublicAddress(address: string): boolean {
  // The library alone would also read other spellings, such as 127.1.
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  return parsed.range() === 'unicast' && (parsed.kind() === 'ipv4' || parsed.match(globalUnicast));
}
