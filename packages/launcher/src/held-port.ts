import { createServer } from 'node:net';
import { LauncherError } from './launcher-error.js';

/**
 * Keeps the hub's own port while the servers behind it start, so that none of them takes it; connections are closed
 * at once. Port 0 is nobody's. Returns what lets go of the port.
 * @throws LauncherError when it cannot be listened on
 */
export function holdPort(host: string, port: number): Promise<() => Promise<void>> {
  if (port === 0) return Promise.resolve(async () => undefined);
  const server = createServer((socket) => socket.destroy());
  const release = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
  return new Promise((resolve, reject) => {
    server.once('error', () => reject(portTaken(host, port)));
    server.listen({ host, port, exclusive: true }, () => resolve(release));
  });
}

function portTaken(host: string, port: number): LauncherError {
  return new LauncherError(
    `Port ${port} of ${host} cannot be listened on, most likely another program has it: set PORT to another one.`,
  );
}
