import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { parse, stringify } from 'yaml';
import {
  findPrometheus,
  type Prometheus,
  type PrometheusPrograms,
  runPromtool,
  startPrometheus,
} from '../support/prometheus.js';
import { inOneProcess, startHubIn, useDataFolder } from './fixtures/temporary-hub.js';

interface Target {
  readonly labels: { readonly job: string; readonly service?: string };
  readonly scrapeUrl: string;
  readonly health: string;
  readonly lastError: string;
}
interface RuleGroup {
  readonly name: string;
  readonly rules: readonly { readonly name: string; readonly health: string; readonly state: string }[];
}
interface Config {
  readonly scrape_configs: readonly {
    readonly job_name: string;
    readonly metrics_path: string;
    readonly honor_labels?: boolean;
  }[];
}

const places = fileURLToPath(new URL('../../deploy/prometheus/', import.meta.url));
const config = parse(readFileSync(`${places}prometheus.yml`, 'utf8')) as Config;
const services = ['gateway', 'ingest', 'query', 'reports', 'system'];
const soon = { interval: 100 };
const found = findPrometheus();

/** The address of a target in this test; the hub as a whole has no service name. */
interface Found {
  readonly job: string;
  readonly service?: string;
  readonly host: string;
}

/** The delivered configuration with other addresses and shorter intervals. */
function configureFor(targets: readonly Found[]): string {
  const ofJob = (name: string) =>
    targets
      .filter(({ job }) => job === name)
      .map(({ service, host }) => ({ targets: [host], labels: service ? { service } : {} }));
  return stringify({
    global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
    rule_files: [`${places}rules.yml`],
    scrape_configs: config.scrape_configs.map(({ job_name, metrics_path, honor_labels = false }) => {
      return { job_name, metrics_path, honor_labels, static_configs: ofJob(job_name) };
    }),
  });
}

describe.skipIf(!found)('Prometheus (npm test fetches it on Debian)', () => {
  const programs = found as PrometheusPrograms;
  const folder = useDataFolder();
  let targets: Found[] = [];
  let prometheus: Prometheus;

  beforeAll(async () => {
    const hub = await startHubIn(folder, { ...inOneProcess, OPS_HOST: '127.0.0.1' });
    const { readyUrls } = hub.processOf('services');
    targets = [
      { job: 'birdhub', host: new URL(hub.baseUrl).host },
      ...services.map((service, index) => ({
        job: 'birdhub-services',
        service,
        host: new URL(readyUrls[index] ?? '').host,
      })),
    ];
    await fetch(`${hub.baseUrl}/api/processor/activity_log`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ type: 'heartbeat', data: {} }),
    });
    const configFile = join(folder.path, 'prometheus.yml');
    writeFileSync(configFile, configureFor(targets));
    prometheus = await startPrometheus(programs, { configFile, dataDir: join(folder.path, 'prometheus') });
    return () => prometheus.stop();
  });

  it('its promtool, with all six pages of metrics, reports nothing', async () => {
    const results = targets.map(async ({ host }) => {
      const text = await (await fetch(`http://${host}/metrics`)).text();
      expect(text).toContain('# TYPE');
      return runPromtool(programs, ['check', 'metrics'], text);
    });
    expect(await Promise.all(results)).toEqual(targets.map(() => ({ isOk: true, output: '' })));
  });

  it.each([
    ['check', 'config', 'prometheus.yml'],
    ['check', 'rules', 'rules.yml'],
    ['test', 'rules', 'rules.test.yml'],
  ])('its promtool, with %s %s as delivered, succeeds', (verb, kind, file) => {
    const { isOk, output } = runPromtool(programs, [verb, kind, `${places}${file}`]);
    expect([isOk, output]).toEqual([true, expect.stringContaining('SUCCESS')]);
  });

  it('with these targets, scrapes the hub and its five services', async () => {
    const expected = targets.map((target) => ({ ...target, health: 'up', lastError: '' }));
    const look = async () => {
      const { activeTargets } = await prometheus.read<{ activeTargets: Target[] }>('targets');
      const seen = activeTargets.map(({ labels, scrapeUrl, health, lastError }) => {
        const { job, service } = labels;
        return { job, service, host: new URL(scrapeUrl).host, health, lastError };
      });
      expect(new Set(seen)).toEqual(new Set(expected));
    };
    await vi.waitFor(look, soon);
  });

  it('with the delivered rules, evaluates them all and sees nothing down', async () => {
    const read = async () => (await prometheus.read<{ groups: RuleGroup[] }>('rules')).groups;
    const rules = await vi.waitUntil(async () => {
      const all = (await read()).flatMap((group) => group.rules);
      return all.length > 0 && all.every(({ health }) => health !== 'unknown') ? all : undefined;
    }, soon);
    expect(rules.map(({ health }) => health)).toEqual(rules.map(() => 'ok'));
    const down = [
      'HubDown',
      'HubWithoutDatabase',
      'ServiceDown',
      'ServiceGone',
      'BrokerDisconnected',
      'ProcessorSilent',
    ];
    const quiet = async () => {
      const states = (await read()).flatMap((group) => group.rules).filter(({ name }) => down.includes(name));
      expect(states.map(({ state }) => state)).toEqual(down.map(() => 'inactive'));
    };
    await vi.waitFor(quiet, soon);
  });
});
