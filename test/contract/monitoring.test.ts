import { startGateway } from '@birdhub/gateway';
import { startIngest } from '@birdhub/ingest';
import { startQuery } from '@birdhub/query';
import { startReports } from '@birdhub/reports';
import type { RunningService } from '@birdhub/shared/app';
import { startSystem } from '@birdhub/system';
import { createTestDatabase, findMetricMistakes, type TestDatabase } from '@birdhub/testing';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { parse } from 'yaml';
import { readText } from './repository-files.js';

/** The metrics of every scrape target, by its name. */
const scrapes = new Map<string, string>();
let database: TestDatabase;
let services: RunningService[] = [];
let hub: RunningService;

beforeAll(async () => {
  database = await createTestDatabase();
  const env = { DATABASE_URL: database.url, NATS_URL: inject('natsUrl'), LOG_LEVEL: 'silent' };
  const inner = await Promise.all(
    [startIngest, startQuery, startReports, startSystem].map((start) => start(env)),
  );
  const urls = inner.map(({ name, url }) => [`${name.toUpperCase()}_URL`, url]);
  hub = await startGateway({ ...env, ...Object.fromEntries(urls) });
  services = [hub, ...inner];
  await database.pool.query(`INSERT INTO processor_heartbeat (data) VALUES ('{}')`);
  const read = async (url: string) => (await fetch(url)).text();
  // Metrics that appear with their first event exist from here on.
  scrapes.set('hub', await read(`${hub.url}/metrics`));
  for (const { name, opsUrl } of services) scrapes.set(name, await read(`${opsUrl}/metrics`));
});
afterAll(async () => {
  for (const service of services) await service.close();
  await database.drop();
});

const described = () =>
  new Set(
    [...scrapes.values()].flatMap((text) => [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name)),
  );

/** Names of metrics in an expression, without quoted values and the labels of `by` and `on`. */
function namesIn(expression: string): string[] {
  const bare = expression.replace(/"[^"]*"/g, '').replace(/\b(by|on) \([^)]*\)/g, '');
  const names = [...bare.matchAll(/\b(?:birdhub|hub|process|nodejs)_\w+/g)].map(([name]) => name);
  return names.map((name) => name.replace(/_(bucket|sum|count)$/, ''));
}

interface Rules {
  readonly groups: { readonly rules: { readonly alert: string; readonly expr: string }[] }[];
}
interface Dashboard {
  readonly panels: {
    readonly id: number;
    readonly title: string;
    readonly targets?: { readonly expr: string }[];
  }[];
}
const rules = (parse(readText('deploy/prometheus/rules.yml')) as Rules).groups.flatMap(
  (group) => group.rules,
);
const dashboard = JSON.parse(readText('deploy/grafana/dashboards/birdhub.json')) as Dashboard;
const targets = dashboard.panels.flatMap(({ title, targets: all = [] }) =>
  all.map(({ expr }) => ({ title, expr })),
);

/** Reported only by hosts that have one. */
const optional = ['birdhub_gpu_usage_percent'];

function missingOf(expression: string): string[] {
  const known = described();
  return namesIn(expression).filter((name) => !known.has(name) && !optional.includes(name));
}

describe('metrics for Prometheus', () => {
  test.each(['hub', 'gateway', 'ingest', 'query', 'reports', 'system'])(
    'of %s, after a request, have no mistakes',
    (name) => {
      const text = scrapes.get(name) ?? '';
      expect(text).toContain('# TYPE');
      expect(findMetricMistakes(text)).toEqual([]);
    },
  );

  test('at /api/metrics of the gateway, are readable without a role', async () => {
    const response = await fetch(`${hub.url}/api/metrics`);
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(await response.text()).toContain('birdhub_processor_heartbeat_age_seconds ');
  });

  test('in 120 scrapes, 12 at once, are always served', async () => {
    const statuses: number[] = [];
    const scrape = async () => {
      for (let count = 0; count < 10; count += 1) {
        const response = await fetch(`${hub.url}/metrics`);
        await response.text();
        statuses.push(response.status);
      }
    };
    await Promise.all(Array.from({ length: 12 }, scrape));
    expect(statuses).toEqual(Array(120).fill(200));
  });
});

describe('deploy/prometheus', () => {
  test.each(rules)('alert $alert, uses only existing metrics', ({ expr }) => {
    expect(namesIn(expr).length + Number(expr.includes('up{'))).toBeGreaterThan(0);
    expect(missingOf(expr)).toEqual([]);
  });

  test('operations excluded by alerts, are in the contract', () => {
    const contract = readText('openapi.yaml');
    const named = rules
      .flatMap(({ expr }) => [...expr.matchAll(/operation!~"([^"]+)"/g)])
      .flatMap(([, list = '']) => list.split('|'));
    expect(named).toContain('none');
    const unknown = named.filter((name) => name !== 'none' && !contract.includes(`operationId: ${name}\n`));
    expect(unknown).toEqual([]);
  });

  test('rules and jobs, in the configuration, match the rules file', () => {
    const config = parse(readText('deploy/prometheus/prometheus.yml'));
    expect(config.rule_files).toEqual(['rules.yml']);
    const jobs = config.scrape_configs.map(({ job_name }: { job_name: string }) => job_name);
    const named = rules.flatMap(({ expr }) => [...expr.matchAll(/job="([^"]+)"/g)].map(([, job]) => job));
    expect(new Set(named)).toEqual(new Set(jobs));
  });

  test('services, are scraped at the ops port of each replica', () => {
    const config = parse(readText('deploy/prometheus/prometheus.yml'));
    const [, { dns_sd_configs }] = config.scrape_configs;
    const names = services.map(({ name }) => name).sort();
    expect(dns_sd_configs).toMatchObject([{ names, type: 'A', port: 9464 }]);
  });
});

describe('deploy/grafana', () => {
  test.each(targets)('panel $title, uses only existing metrics: $expr', ({ expr }) => {
    expect(namesIn(expr).length).toBeGreaterThan(0);
    expect(missingOf(expr)).toEqual([]);
  });

  test('panels, have unique ids and the provided data source', () => {
    const ids = dashboard.panels.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const source = parse(readText('deploy/grafana/provisioning/datasources/prometheus.yml')).datasources[0];
    const uids = [
      ...JSON.stringify(dashboard).matchAll(/"datasource":\{"type":"prometheus","uid":"([^"]+)"/g),
    ];
    expect(uids.length).toBeGreaterThan(20);
    expect(new Set(uids.map(([, uid]) => uid))).toEqual(new Set([source.uid]));
  });
});
