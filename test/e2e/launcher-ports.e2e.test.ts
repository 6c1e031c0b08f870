import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { showStatus } from '@birdhub/cli/commands/status';
import { pathsIn } from '@birdhub/launcher/data-folder';
import { readOptions } from '@birdhub/launcher/options';
import { readState } from '@birdhub/launcher/state-file';
import { drawPort, listenOnAny } from '@birdhub/shared/ports';
import { startTestHub, stopTestHubs, type TestHub } from '@birdhub/testing/hub';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { copyDataTemplate } from '../support/copy-data-template.js';
import { launch, stopLaunchers, waitUntilReady } from './fixtures/launcher-process.js';
import { listeningPorts, type Occupier, occupyPorts } from './fixtures/occupied-ports.js';
import { useDataFolder } from './fixtures/temporary-hub.js';

const services = ['gateway', 'ingest', 'query', 'reports', 'system'];
/** Whether to start twenty whole hubs instead of eight launchers and brokers with services that only listen. */
const isWhole = process.env['LAUNCHER_WHOLE_HUBS'] === '1';
const hubCount = isWhole ? 20 : 8;
/** Services that only listen need none. */
const withoutDatabase = { DATABASE_URL: 'postgresql://nobody@127.0.0.1:9/none' } as const;

const occupiers: Occupier[] = [];

afterEach(async () => {
  vi.restoreAllMocks();
  for (const occupier of occupiers.splice(0)) await occupier.close();
});

/** Occupies these ports until the test ends. */
const occupy = async (ports: readonly number[]) => void occupiers.push(await occupyPorts(ports));

const portOf = (url: string) => Number(new URL(url).port);

/** The ports of a ready hub: its own, that of its broker, those for scraping. */
function portsOfData(dataDir: string): number[] {
  const state = readState(pathsIn(dataDir).state);
  if (state?.address == null) throw new Error(`no hub is ready in ${dataDir}`);
  const broker = state.processes.flatMap(({ name, port }) => (name === 'nats' ? (port ?? []) : []));
  return [portOf(state.address), ...broker, ...state.processes.flatMap((one) => one.readyUrls).map(portOf)];
}

const opsPortOf = (hub: TestHub, name: string) => portOf(hub.processOf(name).readyUrls[0] ?? '');

const portsByService = (hub: TestHub): Record<string, number> =>
  Object.fromEntries(services.map((name) => [name, opsPortOf(hub, name)]));

async function readStatus(dataDir: string): Promise<{ code: number; text: string }> {
  const lines: string[] = [];
  vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
  const code = await showStatus(readOptions({ DATA_DIR: dataDir }, '/'));
  return { code, text: lines.join('\n') };
}

/** Thrown when another program has taken a port that was drawn. */
const refused = Object.assign(new Error('the port is taken'), { code: 'EADDRINUSE' });

describe('many hubs started at once', () => {
  const folder = useDataFolder({ killsProcesses: true });

  async function startOne(dataDir: string): Promise<void> {
    if (isWhole) return (await startTestHub({ dataDir })).waitUntilReady();
    mkdirSync(dataDir);
    await waitUntilReady(await launch(dataDir, withoutDatabase));
  }

  it('on free ports, are all ready, with no port in common', async () => {
    const dataDirs = Array.from({ length: hubCount }, (_, index) => join(folder.path, `hub-${index}`));
    try {
      await Promise.all(dataDirs.map(startOne));
      const ports = dataDirs.flatMap(portsOfData);
      expect(ports).toHaveLength(hubCount * 7);
      expect(new Set(ports).size).toBe(ports.length);
    } finally {
      await Promise.all([stopLaunchers(), stopTestHubs()]);
    }
  }, 300_000);
});

describe('a hub beside a program that takes its ports', () => {
  const folder = useDataFolder({ killsProcesses: true });
  const dataDir = join(folder.path, 'data');
  const allPorts = () => portsOfData(dataDir);
  let hub: TestHub;
  /** The port set by PORT. */
  let ownPort: number;

  async function startOn(port: number, env: NodeJS.ProcessEnv = {}): Promise<TestHub> {
    return startTestHub({ dataDir, env: { PORT: String(port), ...env } }).catch((error: unknown) => {
      throw /cannot be listened on/.test(String(error)) ? refused : error;
    });
  }

  beforeAll(async () => {
    await copyDataTemplate(dataDir);
    await listenOnAny(async (drawn) => {
      hub = await startOn(drawn);
      ownPort = drawn;
    }, drawPort());
  });

  it.runIf(process.platform === 'linux')(
    'in its services behind the gateway and PostgreSQL, listens on TCP only for scraping',
    () => {
      const portsOf = (name: string) => listeningPorts(hub.processOf(name).process?.pid ?? 0);
      for (const name of services.slice(1)) expect(portsOf(name)).toEqual([opsPortOf(hub, name)]);
      expect(portsOf('postgres')).toEqual([]);
      expect(portsOf('nats')).toEqual([hub.processOf('nats').port]);
    },
  );

  it('with a service killed and its port for scraping taken, recovers and is scraped at another one', async () => {
    const before = opsPortOf(hub, 'query');
    const killed = hub.kill('query');
    await occupy([before]);
    await hub.waitUntilRestarted('query', killed);
    await vi.waitUntil(() => hub.processOf('query').readyUrls.length > 0);
    expect(opsPortOf(hub, 'query')).not.toBe(before);
    const metrics = await fetch(`http://127.0.0.1:${opsPortOf(hub, 'query')}/metrics`);
    expect(await metrics.text()).toContain('service="query"');
  });

  it('with its own port taken for a while after a crash, waits until that one is free', async () => {
    const killed = hub.kill('gateway');
    const occupier = await occupyPorts([ownPort]);
    await vi.waitUntil(() => /EADDRINUSE/.test(hub.output()));
    await occupier.close();
    await hub.waitUntilRestarted('gateway', killed);
    expect(hub.processOf('gateway').port).toBe(ownPort);
    expect(hub.output()).toMatch(
      new RegExp(
        `^Port ${ownPort} of 127\\.0\\.0\\.1 cannot be listened on .* set PORT or OPS_PORT to another one\\.$`,
        'm',
      ),
    );
  });

  it('with nats-server killed and its port taken, recovers with the broker at another one', async () => {
    const before = hub.processOf('nats').port ?? 0;
    const killed = hub.kill('nats');
    await occupy([before]);
    await hub.waitUntilRestarted('nats', killed);
    expect(hub.processOf('nats').port).not.toBe(before);
    expect(hub.output()).toContain('nats-server moved to another port');
    await vi.waitUntil(() => services.every((name) => hub.processOf(name).readyUrls.length > 0));
  });

  it('with all ports taken at its next start, is ready at others and shows them in its status', async () => {
    const before = allPorts();
    await hub.stop();
    await occupy(before);
    hub = await startTestHub({ dataDir });
    await hub.waitUntilReady();
    expect(allPorts().filter((port) => before.includes(port))).toEqual([]);
    const { code, text } = await readStatus(dataDir);
    expect(code).toBe(0);
    for (const port of Object.values(portsByService(hub))) {
      expect(text).toContain(`metrics http://127.0.0.1:${port}/metrics`);
    }
  });
});

describe('a data folder', () => {
  const folder = useDataFolder({ killsProcesses: true });
  const dataDir = join(folder.path, 'data');

  /** Returns the ports for scraping of one start with services that only listen. */
  async function startAndStop(env: NodeJS.ProcessEnv = {}): Promise<Record<string, number>> {
    const launcher = await launch(dataDir, { ...withoutDatabase, ...env });
    await waitUntilReady(launcher);
    const ports = Object.fromEntries(
      (readState(pathsIn(dataDir).state)?.processes ?? [])
        .filter(({ name }) => services.includes(name))
        .map(({ name, readyUrls }) => [name, portOf(readyUrls[0] ?? '')]),
    );
    await stopLaunchers();
    return ports;
  }

  it('with a port set for one start, has its former ports at the next', async () => {
    mkdirSync(dataDir);
    const before = await startAndStop();
    expect(Object.keys(before).sort()).toEqual([...services].sort());
    await listenOnAny(async (named) => {
      const ports = await startAndStop({ QUERY_OPS_PORT: String(named) });
      if (ports['query'] !== named) throw refused;
      expect(ports).toEqual({ ...before, query: named });
    }, drawPort());
    expect(await startAndStop()).toEqual(before);
  });
});

describe('a data folder whose path is too long for a socket', () => {
  const folder = useDataFolder({ killsProcesses: true });
  const dataDir = join(folder.path, 'deep', ...Array.from({ length: 8 }, () => 'a-folder-with-a-long-name'));
  const listSockets = () =>
    (readState(pathsIn(dataDir).state)?.processes ?? []).flatMap(({ socket }) => socket ?? []);

  it('after its launcher was killed, works with short paths and removes those of both launchers', async () => {
    const first = await launch(dataDir);
    await waitUntilReady(first);
    const left = listSockets();
    first.process.kill('SIGKILL');
    await once(first.process, 'exit');
    await waitUntilReady(await launch(dataDir));
    const sockets = listSockets();
    expect(sockets).toHaveLength(5);
    for (const socket of sockets) expect(Buffer.byteLength(socket)).toBeLessThan(104);
    await stopLaunchers();
    expect([...left, ...sockets].map(temporaryFolderOf).filter(existsSync)).toEqual([]);
  });
});

/** Returns the folder that a launcher made for a socket only. @throws when it made none */
function temporaryFolderOf(socket: string): string {
  const [folder] = /^.*\/birdhub-sockets-[^/]+/.exec(socket) ?? [];
  if (folder === undefined) throw new Error(`${socket} is not in a temporary folder`);
  return folder;
}
