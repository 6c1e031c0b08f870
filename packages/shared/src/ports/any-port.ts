import { randomInt } from 'node:crypto';

// Below the ephemeral port range, so that a port stays free while its service restarts.
const firstPort = 20_000;
const endPort = 32_000;
const maxDraws = 100;

/** Returns a random TCP port other than these. It may be in use; retry when listening fails. */
export function drawPort(except: Iterable<number> = []): number {
  const taken = new Set(except);
  let port = randomInt(firstPort, endPort);
  while (taken.has(port)) port = randomInt(firstPort, endPort);
  return port;
}

/** Whether an error of `listen` concerns the port, so that another port may work. */
export function isPortRefused(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && (error.code === 'EADDRINUSE' || error.code === 'EACCES')
  );
}

/**
 * Listens on the wanted port, or on another one when that is not available; 0 selects a free one.
 * @param listen listens on one port or throws the error of `listen`
 * @param except ports that must not replace the wanted one
 * @throws the error of `listen` when another port would not help, or all are refused
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
