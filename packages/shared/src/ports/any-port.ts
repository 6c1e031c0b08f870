import { randomInt } from 'node:crypto';

// Below the range of local ports of outgoing connections, so that a port stays free while its service restarts.
const firstPort = 20_000;
const endPort = 32_000;
const maxDraws = 100;

/**
 * Returns a random TCP port other than these. It may be in use: draw again when listening on it is refused.
 */
export function drawPort(except: Iterable<number> = []): number {
  const taken = new Set(except);
  let port = randomInt(firstPort, endPort);
  while (taken.has(port)) port = randomInt(firstPort, endPort);
  return port;
}

/** Whether an error of `listen` means that this port is refused and another one may work. */
export function isPortRefused(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && (error.code === 'EADDRINUSE' || error.code === 'EACCES')
  );
}

/**
 * Listens on the wanted port, and on another one when that is refused; 0 takes a free one.
 * @param listen listens on one port or throws the error of `listen`
 * @param except ports that never replace the wanted one
 * @throws the error of `listen` when it is of another kind, or when every port is refused
 */
export async function listenOnAny<T>(
  listen: (port: number) => Promise<T>,
  wanted: number,
  except: Iterable<number> = [],
): Promise<T> {
  for (let draw = 0, port = wanted; ; draw += 1, port = drawPort(except)) {
    try {
      return await listen(port);
    } catch (error) {
      if (!isPortRefused(error) || draw === maxDraws) throw error;
    }
  }
}
