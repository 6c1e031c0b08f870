const anyAddress = ['0.0.0.0', '::', '[::]', ''];

/** Where a person finds a server that listens there. */
export function toPublicAddress(host: string, port: number, basePath: string): string {
  const name = [...anyAddress, '127.0.0.1', '::1'].includes(host) ? 'localhost' : bracket(host);
  return `http://${name}:${port}${basePath}/`;
}

/** Where this machine reaches a server that listens there. */
export function toLocalOrigin(host: string, port: number): string {
  return `http://${anyAddress.includes(host) ? '127.0.0.1' : bracket(host)}:${port}`;
}

function bracket(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}
