/** Headers that speak of one connection only (RFC 9110 §7.6.1), and `Expect`, which Node answers itself. */
const hopByHop: ReadonlySet<string> = new Set([
  'connection',
  'expect',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const none: ReadonlySet<string> = new Set();

/** The headers that `Connection` names beside the usual ones, in lower case. */
export function namedByConnection(connection: string | string[] | undefined): ReadonlySet<string> {
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return none;
  const names = String(connection).toLowerCase().split(',');
  return new Set(names.map((name) => name.trim()));
}

/** Whether a header stays on the connection it came by. `name` is in lower case. */
export function isHopByHop(name: string, named: ReadonlySet<string>): boolean {
  return hopByHop.has(name) || (named.size > 0 && named.has(name));
}
