/** What `NATS_URL` says. */
export interface NatsAddress {
  readonly servers: string[];
  readonly user?: string;
  readonly pass?: string;
  readonly token?: string;
  readonly isEncrypted: boolean;
}

function parseServer(text: string): URL {
  const address = text.includes('://') ? text : `nats://${text}`;
  if (!URL.canParse(address)) throw new TypeError('NATS_URL must be like nats://user:password@host:4222');
  return new URL(address);
}

function credentialsOf(url: URL | undefined): Pick<NatsAddress, 'user' | 'pass' | 'token'> {
  if (!url) return {};
  const user = decodeURIComponent(url.username);
  if (!url.password) return { token: user };
  return { user, pass: decodeURIComponent(url.password) };
}

/**
 * Reads a comma separated list of servers. The first one that names `user:password@` or `token@` does so for all.
 * @throws TypeError when a part is no address; the text, which may hold a password, is not repeated
 */
export function parseNatsUrl(natsUrl: string): NatsAddress {
  const urls = natsUrl
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
    .map(parseServer);
  if (!urls.length) throw new TypeError('NATS_URL names no server');
  return {
    servers: urls.map((url) => `${url.hostname}:${url.port || 4222}`),
    isEncrypted: urls.some((url) => url.protocol === 'tls:'),
    ...credentialsOf(urls.find((url) => url.username)),
  };
}
