import type { ClientLimits } from '@birdhub/shared/app';
import { addressKey } from '@birdhub/shared/attempts';

/** What the gateway bears of its clients. */
export interface ClientTolerance {
  /** Longest time that a client may take nothing of an answer, or send next to nothing of a body. */
  readonly clientStallTimeoutMs: number;
  readonly maxConnectionsPerAddress: number;
  /** Whether a peer is a proxy, whose connections are those of many clients. */
  readonly isTrusted: (address: string | undefined) => boolean;
}

/** The same for connections, counted by address, of IPv6 by the /64 of a household. */
export function clientLimitsOf(tolerance: ClientTolerance): ClientLimits {
  const { clientStallTimeoutMs, maxConnectionsPerAddress, isTrusted } = tolerance;
  return {
    readStallTimeoutMs: clientStallTimeoutMs,
    bodyWindowMs: clientStallTimeoutMs,
    maxConnectionsPerKey: maxConnectionsPerAddress,
    connectionKey: (address) => (isTrusted(address) ? undefined : addressKey({ ip: address })),
  };
}
