/** The settings of a broker. */
export interface BrokerSettings {
  /** Host or URL; empty for none. */
  readonly broker: string;
  readonly port: number;
  readonly username: string;
  readonly password: string;
}

const defaultPort = { mqtt: 1883, mqtts: 8883, ws: 80, wss: 443 } as const;

type Protocol = keyof typeof defaultPort;

const protocols: Readonly<Record<string, Protocol>> = {
  mqtt: 'mqtt',
  tcp: 'mqtt',
  mqtts: 'mqtts',
  ssl: 'mqtts',
  ws: 'ws',
  wss: 'wss',
};

/** The address of a broker as options of the mqtt package. */
export interface BrokerAddress {
  readonly protocol: Protocol;
  readonly host: string;
  readonly port: number;
  /** Path of a web socket; `/` otherwise. */
  readonly path: string;
  readonly username?: string;
  readonly password?: string;
}

const isBareIpv6 = (text: string) => /^[\da-f.%]*:[\da-f.%]*:[\da-f:.%]*$/i.test(text);

/**
 * Parses the address after the protocol; returns undefined when it is invalid. It is parsed as `mqtt:`, because URL drops
 * the default port of `ws:`.
 */
function parseRest(rest: string): URL | undefined {
  const text = `mqtt://${isBareIpv6(rest) ? `[${rest}]` : rest}`;
  return URL.canParse(text) ? new URL(text) : undefined;
}

/** The port setting always has a value, so its default is ignored for protocols with another default port. */
function portOf(url: URL, port: number, protocol: Protocol): number {
  if (url.port) return Number(url.port);
  return port === defaultPort.mqtt ? defaultPort[protocol] : port;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function credentialsOf(url: URL, settings: BrokerSettings): Pick<BrokerAddress, 'username' | 'password'> {
  const username = settings.username || decode(url.username);
  // MQTT 3.1.1 does not allow a password without a user name.
  if (!username) return {};
  const password = settings.password || decode(url.password);
  return password ? { username, password } : { username };
}

/** Returns the broker of the settings, which is a host or a URL; undefined when it is neither. */
export function toBrokerAddress(settings: BrokerSettings): BrokerAddress | undefined {
  const [, scheme = 'mqtt', rest = ''] = /^(?:([a-z]+):\/\/)?(.*)$/i.exec(settings.broker.trim()) ?? [];
  const protocol = protocols[scheme.toLowerCase()];
  const url = parseRest(rest);
  if (!protocol || !url?.hostname) return undefined;
  return {
    protocol,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: portOf(url, settings.port, protocol),
    path: `${url.pathname || '/'}${url.search}`,
    ...credentialsOf(url, settings),
  };
}
