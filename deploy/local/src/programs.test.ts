import { describe, expect, it } from 'vitest';
import { planPrograms, planSingleProcess, singleProcessVariable } from './programs.js';
import type { HubFacts } from './service-environments.js';

const facts: HubFacts = {
  host: '0.0.0.0',
  ports: {
    gateway: { port: 8080, opsPort: 9080 },
    ingest: { port: 8081, opsPort: 9081 },
    query: { port: 8082, opsPort: 9082 },
    reports: { port: 8083, opsPort: 9083 },
    system: { port: 8084, opsPort: 9084 },
  },
  databaseUrl: 'postgresql://hub',
  natsUrl: 'nats://hub',
  dataDir: '/data',
  recordingsDir: '/data/recordings',
  internalSecret: 'secret',
  contractFile: '/hub/openapi.yaml',
};

const given = { HOST: '10.0.0.1', PORT: '80', TZ: 'Europe/Vilnius', DATABASE_URL_FILE: '/run/secret' };
const plan = () => planPrograms(given, facts, (name) => `/hub/${name}.js`).flat();
const environmentOf = (name: string) => plan().find((program) => program.name === name)?.env;

describe('planPrograms', () => {
  it('five services, stop with the gateway first', () => {
    const groups = planPrograms({}, facts, String).map((group) => group.map(({ name }) => name));
    expect(groups).toEqual([['gateway'], ['ingest', 'query', 'reports', 'system']]);
  });

  it('the given environment, reaches every service', () => {
    expect(plan().map(({ env }) => env['TZ'])).toEqual(Array(5).fill('Europe/Vilnius'));
  });

  it('an inner service, listens on the loopback on its own ports', () => {
    expect(environmentOf('query')).toMatchObject({ HOST: '127.0.0.1', PORT: '8082', OPS_PORT: '9082' });
  });

  it('the gateway, listens where the hub is asked to and knows the others and the contract', () => {
    expect(environmentOf('gateway')).toMatchObject({
      HOST: '0.0.0.0',
      PORT: '8080',
      INGEST_URL: 'http://127.0.0.1:8081',
      QUERY_URL: 'http://127.0.0.1:8082',
      REPORTS_URL: 'http://127.0.0.1:8083',
      SYSTEM_URL: 'http://127.0.0.1:8084',
      CONTRACT_FILE: '/hub/openapi.yaml',
    });
  });

  it('a secret given as a file, is handed on as a value alone', () => {
    const env = environmentOf('ingest');
    expect(env).toMatchObject({ DATABASE_URL: 'postgresql://hub', INTERNAL_SECRET: 'secret' });
    expect(env).not.toHaveProperty('DATABASE_URL_FILE');
  });

  it.each([
    [undefined, '127.0.0.1'],
    ['0.0.0.0', '127.0.0.1'],
    ['10.0.0.2', '10.0.0.2'],
  ])('OPS_HOST %s, has each service be ready by its ops port there, wherever the hub listens', (host, at) => {
    const env = { ...given, ...(host !== undefined && { OPS_HOST: host }) };
    const groups = planPrograms(env, { ...facts, host: '10.0.0.1' }, String);
    expect(groups.flat().flatMap(({ readyUrls }) => readyUrls)).toEqual(
      [9080, 9081, 9082, 9083, 9084].map((port) => `http://${at}:${port}/readyz`),
    );
  });
});

describe('planSingleProcess', () => {
  it('five services in one process, get the same environments as five processes', () => {
    const [program] = planSingleProcess(given, facts).flat();
    const own = JSON.parse(program?.env[singleProcessVariable] ?? '');
    const { [singleProcessVariable]: _, ...shared } = program?.env ?? {};
    const environments = Object.keys(own).map((name) => ({ ...shared, ...own[name] }));
    expect(environments).toEqual(plan().map(({ env }) => env));
  });
});
