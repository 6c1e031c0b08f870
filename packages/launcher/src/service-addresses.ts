import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ListeningMessage, ServiceAddress } from '@birdhub/shared/app';
import { drawPort } from '@birdhub/shared/ports';
import type { Log } from './log.js';

/** The services behind the gateway. */
export const innerServices = ['ingest', 'query', 'reports', 'system'] as const;

export type InnerService = (typeof innerServices)[number];

export const serviceNames = ['gateway', ...innerServices] as const;

export type ServiceName = (typeof serviceNames)[number];

export interface ServiceAddressesOptions {
  /** File that remembers the ops ports. */
  readonly portsFile: string;
  /** Folder of the sockets of the services behind the gateway. */
  readonly socketFolder: string;
  /** The port of the hub; 0 selects a free one. */
  readonly port: number;
  /** Host of the ops ports. */
  readonly opsHost: string;
  /** Ops ports set in the environment. */
  readonly opsPorts: Readonly<Partial<Record<ServiceName, number>>>;
  readonly log: Log;
}

/**
 * The requested and the reported addresses of services. A service that had to use another ops port keeps it when it or
 * the launcher restarts.
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

  /** The port of the hub, which no other service may use; 0 when the gateway may use any. */
  get reservedPort(): number {
    return this.#options.port;
  }

  get gatewayPort(): number {
    return this.#gatewayPort;
  }

  /** Returns the ops port that a service should use. */
  opsPortOf(name: ServiceName): number {
    return this.#opsPorts[name];
  }

  socketOf(name: InnerService): string {
    return join(this.#options.socketFolder, socketName(name));
  }

  /** Handles the listening message of a service process and remembers its ports. */
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

  /** Marks services as not listening, as their process has ended. */
  forget(names: readonly ServiceName[]): void {
    for (const name of names) this.#listening.delete(name);
  }

  /** Returns the readiness URLs of services; undefined until all of them listen. */
  readyUrls(names: readonly ServiceName[]): string[] | undefined {
    const ports = names.flatMap((name) => this.#listening.get(name)?.opsPort ?? []);
    if (ports.length < names.length) return undefined;
    return ports.map((port) => `${toLocalOrigin(this.#options.opsHost, port)}/readyz`);
  }

  // Ports set in the environment are not remembered. Without the file, the next start may use others.
  #remember(): void {
    const { portsFile, opsPorts, log } = this.#options;
    const ports = { ...readPorts(portsFile) };
    for (const name of serviceNames) if (opsPorts[name] === undefined) ports[name] = this.#opsPorts[name];
    const draft = `${portsFile}.new`;
    try {
      writeFileSync(draft, `${JSON.stringify(ports, null, 2)}\n`, { mode: 0o600 });
      renameSync(draft, portsFile);
    } catch (error) {
      log.warn({ err: String(error) }, 'the ports of the services are not stored');
    }
  }
}

/** The name of a service's socket. */
const socketName = (name: InnerService) => `${name}.sock`;

/** The longest socket name. */
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

/** Reads the remembered ports; none when the file is missing or invalid. */
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

/** Returns the URL at which people open a server that listens on this host and port. */
export function toPublicAddress(host: string, port: number, basePath: string): string {
  const name = [...anyAddress, '127.0.0.1', '::1'].includes(host) ? 'localhost' : bracket(host);
  return `http://${name}:${port}${basePath}/`;
}

/** Returns the origin at which this machine reaches a server that listens on this host and port. */
export function toLocalOrigin(host: string, port: number): string {
  return `http://${anyAddress.includes(host) ? '127.0.0.1' : bracket(host)}:${port}`;
}

function bracket(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}
