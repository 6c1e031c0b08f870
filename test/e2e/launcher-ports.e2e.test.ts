import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { showStatus } from '@birdhub/cli/commands/status';
import { seedCatalogue } from '@birdhub/domain/species';
import { createLog } from '@birdhub/launcher/log';
import { readOptions } from '@birdhub/launcher/options';
import { startPostgres } from '@birdhub/launcher/postgres-server';
import { migrate } from '@birdhub/shared/db';
import { drawPort, listenOnAny } from '@birdhub/shared/ports';
import { startTestHub, stopTestHubs, type TestHub } from '@birdhub/testing/hub';
import pg from 'pg';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { listeningPorts, type Occupier, occupyPorts } from './fixtures/occupied-ports.js';
import { inOneProcess, useDataFolder } from './fixtures/temporary-hub.js';

const services = ['gateway', 'ingest', 'query', 'reports', 'system'];
/** All of each hub, its own servers too, instead of one process and one PostgreSQL for all hubs. */
const isWhole = process.env['LAUNCHER_WHOLE_HUBS'] === '1';
const hubCount = 20;

const occupiers: Occupier[] = [];

afterEach(async () => {
  vi.restoreAllMocks();
  await stopTestHubs();
  for (const occupier of occupiers.splice(0)) await occupier.close();
});

/** Sits on these ports until the test ends. */
const sitOn = async (ports: readonly number[]) => void occupiers.push(await occupyPorts(ports));

const readyUrls = (hub: TestHub) => hub.processes().flatMap((one) => one.readyUrls);

const scrapePorts = (hub: TestHub) => readyUrls(hub).map((url) => Number(new URL(url).port));

const allPorts = (hub: TestHub) => [
  Number(new URL(hub.baseUrl).port),
  hub.processOf('nats').port ?? 0,
  ...scrapePorts(hub),
];

const opsPortOf = (hub: TestHub, name: string) =>
  Number(new URL(hub.processOf(name).readyUrls[0] ?? '').port);

const portsByService = (hub: TestHub): Record<string, number> =>
  Object.fromEntries(services.map((name) => [name, opsPortOf(hub, name)]));

async function readStatus(dataDir: string): Promise<{ code: number; text: string }> {
  const said: string[] = [];
  vi.spyOn(console, 'log').mockImplementation((line: string) => void said.push(line));
  const code = await showStatus(readOptions({ DATA_DIR: dataDir }, '/'));
  return { code, text: said.join('\n') };
}

describe('twenty hubs that are started at once', () => {
  const folder = useDataFolder({ isKilling: true });

  /** A database for each hub; undefined when each starts a PostgreSQL of its own. */
  async function makeDatabases() {
    if (isWhole) return undefined;
    const postgres = await startPostgres({
      dataDir: join(folder.path, 'postgres'),
      log: createLog('test', () => undefined),
      settings: { max_connections: '500', fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' },
    });
    await migrate(postgres.url, seedCatalogue);
    const admin = new URL(postgres.url);
    const [template] = admin.pathname.split('/').slice(1);
    admin.pathname = '/postgres';
    const client = new pg.Client({ connectionString: admin.href });
    await client.connect();
    for (let index = 0; index < hubCount; index += 1) {
      await client.query(`CREATE DATABASE hub_${index} TEMPLATE ${template} STRATEGY FILE_COPY`);
    }
    await client.end();
    const urlOf = (index: number) => Object.assign(new URL(postgres.url), { pathname: `/hub_${index}` }).href;
    return { urlOf, stop: postgres.stop };
  }

  it('on free ports, are all ready, each at ports that no other one has', async () => {
    const databases = await makeDatabases();
    try {
      const starts = Array.from({ length: hubCount }, (_, index) =>
        startTestHub({
          dataDir: join(folder.path, `hub-${index}`),
          env: databases ? { ...inOneProcess, DATABASE_URL: databases.urlOf(index) } : {},
        }),
      );
      const hubs = await Promise.all(starts);
      await Promise.all(hubs.map((hub) => hub.whenWell()));
      const ports = hubs.flatMap(allPorts);
      expect(ports).toHaveLength(hubCount * 7);
      expect(new Set(ports).size).toBe(ports.length);
    } finally {
      await stopTestHubs();
      await databases?.stop();
    }
  }, 300_000);
});

describe('a hub beside a program that takes its ports', () => {
  const folder = useDataFolder({ isKilling: true });
  const start = (env: NodeJS.ProcessEnv = {}) => startTestHub({ dataDir: join(folder.path, 'data'), env });

  it('ports that are all taken at its next start, is ready at others and keeps them from then on', async () => {
    const first = await start();
    const before = allPorts(first);
    await first.stop();
    await sitOn(before);
    const second = await start();
    await second.whenWell();
    const moved = allPorts(second);
    expect(moved.filter((port) => before.includes(port))).toEqual([]);
    const scraped = scrapePorts(second);
    const { code, text } = await readStatus(join(folder.path, 'data'));
    expect(code).toBe(0);
    for (const port of scraped) expect(text).toContain(`metrics http://127.0.0.1:${port}/metrics`);
    await second.stop();
    const third = await start();
    expect(scrapePorts(third).sort()).toEqual(scraped.sort());
  });

  it('nats-server killed and its port taken, is well again with the broker elsewhere', async () => {
    const hub = await start(inOneProcess);
    const before = hub.processOf('nats').port ?? 0;
    const killed = hub.kill('nats');
    await sitOn([before]);
    await hub.whenBack('nats', killed);
    expect(hub.processOf('nats').port).not.toBe(before);
    expect(hub.output()).toContain('nats-server has moved to another port');
  });

  it('a service killed and its port for scraping taken, is well again and scraped at another one', async () => {
    const hub = await start();
    const before = opsPortOf(hub, 'query');
    const killed = hub.kill('query');
    await sitOn([before]);
    await hub.whenBack('query', killed);
    await vi.waitUntil(() => hub.processOf('query').readyUrls.length > 0, { timeout: 45_000 });
    expect(opsPortOf(hub, 'query')).not.toBe(before);
    const metrics = await fetch(`http://127.0.0.1:${opsPortOf(hub, 'query')}/metrics`);
    expect(await metrics.text()).toContain('service="query"');
  });

  it('its own port taken for a while after a crash, is back there when it is free, and nowhere else', async () => {
    const { port, hub } = await listenOnAny(async (drawn) => {
      const started = await start({ PORT: String(drawn) }).catch((error: unknown) => {
        throw /cannot be listened on/.test(String(error)) ? refused : error;
      });
      return { port: drawn, hub: started };
    }, drawPort());
    const killed = hub.kill('gateway');
    const occupier = await occupyPorts([port]);
    await vi.waitUntil(() => /EADDRINUSE/.test(hub.output()), { timeout: 45_000 });
    await occupier.close();
    await hub.whenBack('gateway', killed);
    expect(hub.processOf('gateway').port).toBe(port);
    expect(hub.output()).toMatch(
      new RegExp(
        `^Port ${port} of 127\\.0\\.0\\.1 cannot be listened on .* set PORT or OPS_PORT to another one\\.$`,
        'm',
      ),
    );
  });
});

/** Says that another program has a port that was drawn. */
const refused = Object.assign(new Error('the port is taken'), { code: 'EADDRINUSE' });

describe('where a hub listens', () => {
  const folder = useDataFolder();
  const start = (name: string, env: NodeJS.ProcessEnv = {}) =>
    startTestHub({ dataDir: join(folder.path, name), env });

  it('ports for scraping, are those that the environment names, and else the same after a restart', async () => {
    const first = await start('data');
    const before = portsByService(first);
    await first.stop();
    await listenOnAny(async (named) => {
      const second = await start('data', { QUERY_OPS_PORT: String(named) });
      const ports = portsByService(second);
      await second.stop();
      if (ports['query'] !== named) throw refused;
      expect(ports).toEqual({ ...before, query: named });
    }, drawPort());
    expect(portsByService(await start('data'))).toEqual(before);
  });

  it.runIf(process.platform === 'linux')(
    'services behind the gateway, take no TCP port but that for scraping, and PostgreSQL takes none',
    async () => {
      const hub = await start('sockets');
      const portsOf = (name: string) => listeningPorts(hub.processOf(name).process?.pid ?? 0);
      for (const name of services.slice(1)) expect(portsOf(name)).toEqual([opsPortOf(hub, name)]);
      expect(portsOf('postgres')).toEqual([]);
      expect(portsOf('nats')).toEqual([hub.processOf('nats').port]);
    },
  );

  it('a data folder whose path is too long for a socket, works by a short one that is removed after it', async () => {
    const deep = join('deep', ...Array.from({ length: 8 }, () => 'a-folder-with-a-long-name'));
    mkdirSync(join(folder.path, deep), { recursive: true });
    const leftBefore = listTemporary();
    const hub = await start(deep);
    const sockets = hub.processes().flatMap(({ socket }) => socket ?? []);
    expect(sockets).toHaveLength(5);
    for (const socket of sockets) expect(Buffer.byteLength(socket)).toBeLessThan(104);
    await hub.stop();
    expect(sockets.filter(existsSync)).toEqual([]);
    expect(listTemporary()).toEqual(leftBefore);
  });

  it('a launcher that was killed, leaves temporary sockets that the next start removes', async () => {
    const deep = join('deep', ...Array.from({ length: 8 }, () => 'another-long-folder-name'));
    mkdirSync(join(folder.path, deep), { recursive: true });
    const leftBefore = listTemporary();
    const first = await start(deep);
    process.kill(first.launcherPid, 'SIGKILL');
    await vi.waitUntil(() => !existsSync(`/proc/${first.launcherPid}`) || isZombie(first.launcherPid), {
      timeout: 30_000,
    });
    const second = await start(deep);
    await second.stop();
    expect(listTemporary()).toEqual(leftBefore);
  });
});

const listTemporary = () => readdirSync(tmpdir()).filter((name) => name.startsWith('birdhub-sockets-'));

const isZombie = (pid: number) => / Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
