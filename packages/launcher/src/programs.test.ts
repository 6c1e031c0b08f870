import { describe, expect, it } from 'vitest';
import { type HubFacts, planPrograms, planSingleProcess, singleProcessVariable } from './programs.js';
import { serviceNames } from './service-addresses.js';

const facts: HubFacts = {
  host: '0.0.0.0',
  addresses: {
    reservedPort: 8080,
    gatewayPort: 8080,
    opsPortOf: (name) => 9080 + serviceNames.indexOf(name),
    socketOf: (name) => `/data/sockets/${name}.sock`,
  },
  databaseUrl: 'postgresql://hub',
  natsUrl: 'nats://hub',
  dataDir: '/data',
  recordingsDir: '/data/recordings',
  internalSecret: 'secret',
};

const given = { HOST: '10.0.0.1', PORT: '80', TZ: 'Europe/Vilnius', DATABASE_URL_FILE: '/run/secret' };
const plan = () =>
  planPrograms(
    given,
    () => facts,
    (name) => `/hub/${name}.js`,
  ).flat();
const environmentOf = (name: string) =>
  plan()
    .find((program) => program.name === name)
    ?.env();

describe('planPrograms', () => {
  it('five services, are stopped gateway first', () => {
    const groups = planPrograms({}, () => facts, String).map((group) => group.map(({ name }) => name));
    expect(groups).toEqual([['gateway'], ['ingest', 'query', 'reports', 'system']]);
  });

  it('the given environment, is passed to every service', () => {
    expect(plan().map(({ env }) => env()['TZ'])).toEqual(Array(5).fill('Europe/Vilnius'));
  });

  it('an internal service, listens on a Unix socket and on no port other than its ops port', () => {
    expect(environmentOf('query')).toMatchObject({
      SOCKET_PATH: '/data/sockets/query.sock',
      OPS_PORT: '9082',
      RESERVED_PORT: '8080',
      HUB_ADDRESSES: '8080,9080,9081,9082,9083,9084',
    });
  });

  it('an address that has changed since the first start, is passed at the next start', () => {
    let natsUrl = 'nats://before';
    const [program] = planPrograms({}, () => ({ ...facts, natsUrl }), String).flat();
    expect(program?.env()['NATS_URL']).toBe('nats://before');
    natsUrl = 'nats://after';
    expect(program?.env()['NATS_URL']).toBe('nats://after');
  });

  it('the gateway, listens on the address of the hub and knows the other services', () => {
    expect(environmentOf('gateway')).toMatchObject({
      HOST: '0.0.0.0',
      PORT: '8080',
      SOCKET_PATH: '',
      INGEST_URL: 'unix:/data/sockets/ingest.sock',
      QUERY_URL: 'unix:/data/sockets/query.sock',
      REPORTS_URL: 'unix:/data/sockets/reports.sock',
      SYSTEM_URL: 'unix:/data/sockets/system.sock',
    });
  });

  it('a secret given as a file, is passed as a value only', () => {
    const env = environmentOf('ingest');
    expect(env).toMatchObject({ DATABASE_URL: 'postgresql://hub', INTERNAL_SECRET: 'secret' });
    expect(env).not.toHaveProperty('DATABASE_URL_FILE');
  });
});

describe('planSingleProcess', () => {
  it('five services in one process, get the same environment as in five processes', () => {
    const [program] = planSingleProcess(given, () => facts, String).flat();
    const own = JSON.parse(program?.env()[singleProcessVariable] ?? '');
    const { [singleProcessVariable]: _, ...shared } = program?.env() ?? {};
    const environments = Object.keys(own).map((name) => ({ ...shared, ...own[name] }));
    expect(environments).toEqual(plan().map(({ env }) => env()));
  });
});
