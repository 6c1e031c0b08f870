import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ListeningMessage, ServiceAddress } from '@birdhub/shared/app';
import { drawPort } from '@birdhub/shared/ports';

/** The services behind the gateway. */
export const innerServices = ['ingest', 'query', 'reports', 'system'] as const;

export type InnerService = (typeof innerServices)[number];

export const serviceNames = ['gateway', ...innerServices] as const;

export type ServiceName = (typeof serviceNames)[number];

export type ServiceAddressesOptions = {
  /** Where the ports for scraping are remembered. */
  readonly portsFile: string;
  /** Where the services behind the gateway have their sockets. */
  readonly socketFolder: string;
  /** The port of the hub; 0 takes a free one. */
  readonly port: number;
  /** Where the ports for scraping are listened on. */
  readonly opsHost: string;
  /** Ports for scraping that the environment names. */
  readonly opsPorts: Readonly<Partial<Record<ServiceName, number>>>;
};

/**
 * Where services are asked to listen, and where they have said that they do. A service that had to take another port
 * for scraping keeps that one when it is started again, now and by the next launcher.
 */
export class ServiceAddresses {
  readonly #options: ServiceAddressesOptions;
  readonly #opsPorts: Record<ServiceName, number>;
  readonly #listening = new Map<ServiceName, ServiceAddress>();
  #gatewayPort: number;

  constructor(options: ServiceAddressesOptions) {
    this.#options = options;
    this.#gatewayPort = options.port || drawPort();
    this.#opsPorts = choosePorts(options);
  }

  /** The port of the hub, which no service takes in the place of its own; 0 when the gateway itself may move. */
  get reservedPort(): number {
    return this.#options.port;
  }

  get gatewayPort(): number {
    return this.#gatewayPort;
  }

  /** The port that a service is asked to take for scraping. */
  opsPortOf(name: ServiceName): number {
    return this.#opsPorts[name];
  }

  socketOf(name: InnerService): string {
    return join(this.#options.socketFolder, socketName(name));
  }

  /** Takes what a service process has said; remembers its ports. */
  note(message: unknown): void {
    if (!isListening(message)) return;
    for (const address of message.listening) {
      const name = serviceNames.find((known) => known === address.name);
      if (name === undefined) continue;
      this.#listening.set(name, address);
      this.#opsPorts[name] = address.opsPort;
      if (name === 'gateway' && address.port !== undefined) this.#gatewayPort = address.port;
    }
    this.#remember();
  }

  /** Forgets that these services listen: their process has ended. */
  forget(names: readonly ServiceName[]): void {
    for (const name of names) this.#listening.delete(name);
  }

  /** Where services say whether they are ready; undefined until all of them listen. */
  readyUrls(names: readonly ServiceName[]): string[] | undefined {
    const ports = names.flatMap((name) => this.#listening.get(name)?.opsPort ?? []);
    if (ports.length < names.length) return undefined;
    return ports.map((port) => `${toLocalOrigin(this.#options.opsHost, port)}/readyz`);
  }

  // What the environment names is not remembered, so that without it the port of before is back.
  #remember(): void {
    const { portsFile, opsPorts } = this.#options;
    const ports = { ...readPorts(portsFile) };
    for (const name of serviceNames) if (opsPorts[name] === undefined) ports[name] = this.#opsPorts[name];
    const draft = `${portsFile}.new`;
    writeFileSync(draft, `${JSON.stringify(ports, null, 2)}\n`, { mode: 0o600 });
    renameSync(draft, portsFile);
  }
}

/** The name of a service's socket. */
const socketName = (name: InnerService) => `${name}.sock`;

/** The longest of these names. */
export const longestSocketName = socketName(
  [...innerServices].sort((one, other) => other.length - one.length)[0] ?? 'system',
);

function choosePorts({ portsFile, port, opsPorts }: ServiceAddressesOptions): Record<ServiceName, number> {
  const remembered = readPorts(portsFile);
  const taken = new Set([port, ...Object.values(opsPorts)]);
  const choose = (name: ServiceName): [ServiceName, number] => {
    const before = remembered[name];
    const isUsable = before !== undefined && !taken.has(before);
    const chosen = opsPorts[name] ?? (isUsable ? before : drawPort(taken));
    taken.add(chosen);
    return [name, chosen];
  };
  return Object.fromEntries(serviceNames.map(choose)) as Record<ServiceName, number>;
}

/** The ports that are remembered; none when the file is missing or torn. */
function readPorts(file: string): Partial<Record<ServiceName, number>> {
  try {
    const ports: Record<string, unknown> = JSON.parse(readFileSync(file, 'utf8')) ?? {};
    const isPort = (value: unknown) => Number.isInteger(value) && Number(value) > 0 && Number(value) < 65_536;
    const known = serviceNames.filter((name) => isPort(ports[name]));
    return Object.fromEntries(known.map((name) => [name, Number(ports[name])]));
  } catch {
    return {};
  }
}

function isListening(message: unknown): message is ListeningMessage {
  return (
    typeof message === 'object' &&
    message !== null &&
    'listening' in message &&
    Array.isArray(message.listening)
  );
}

const anyAddress = ['0.0.0.0', '::', '[::]', ''];

/** The address at which people open a server that listens there. */
export function toPublicAddress(host: string, port: number, basePath: string): string {
  const name = [...anyAddress, '127.0.0.1', '::1'].includes(host) ? 'localhost' : bracket(host);
  return `http://${name}:${port}${basePath}/`;
}

/** The origin at which this machine reaches a server that listens there. */
export function toLocalOrigin(host: string, port: number): string {
  return `http://${anyAddress.includes(host) ? '127.0.0.1' : bracket(host)}:${port}`;
}

function bracket(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}
