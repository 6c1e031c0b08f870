import { describe, expect, test } from 'vitest';
import { serviceNames, serviceVariables } from '../../scripts/documents/service-variables.js';
import { composition, containers, readComposition } from './composition.js';
import { pathExists, readText } from './repository-files.js';

const own = containers.filter(({ name }) => serviceNames.includes(name));
const variables = serviceVariables();
const knownTo = (service: string) =>
  variables
    .filter(({ services }) => services.includes(service))
    .flatMap(({ name, isSecret }) => (isSecret ? [name, `${name}_FILE`] : [name]));
/** Replaces variables by their defaults. */
const withDefaults = (text: string) => text.replace(/\$\{\w+:-([^}]*)\}/g, '$1');
const portOfMetrics = 9464;

describe('deploy/composition.yaml', () => {
  test('services of the hub, in the composition, have an image each', () => {
    expect(own.map(({ name }) => name).sort()).toEqual([...serviceNames].sort());
    for (const { name, image, build } of own) {
      expect([image, build?.args.SERVICE]).toEqual([expect.stringMatching(`^birdhub/${name}:`), name]);
      expect(pathExists(`deploy/${build?.context}/${build?.dockerfile}`)).toBe(true);
    }
  });

  test('the migration, uses the image of system, which is built only once', () => {
    const { image, build, pull_policy } = composition.services['migrate'] ?? {};
    expect([image, build, pull_policy]).toEqual([composition.services['system']?.image, undefined, 'never']);
    const built = containers.filter((service) => service.build).map(({ name }) => name);
    expect(built.sort()).toEqual([...serviceNames].sort());
  });

  test.each(['migrate', 'reports'])('temporary files of %s, are in a volume and not in memory', (name) => {
    const { tmpfs, volumes } = composition.services[name] ?? {};
    expect([tmpfs, volumes]).toEqual([[], expect.arrayContaining(['scratch:/tmp'])]);
  });

  test.each(own)('the number of $name, is set by a variable and so survives the next `up`', (service) => {
    expect(service.deploy?.replicas).toBe(`\${${service.name.toUpperCase()}_REPLICAS:-1}`);
    expect(readText('docs/operations.md')).toContain(`${service.name.toUpperCase()}_REPLICAS`);
  });

  test('the status command in a container, asks the ops ports of all services', () => {
    const { HUB_OPS_URLS = '' } = composition.services['migrate']?.environment ?? {};
    const expected = serviceNames.map((name) => `http://${name}:${portOfMetrics}`);
    expect(HUB_OPS_URLS.split(',').sort()).toEqual(expected.sort());
  });

  test('the gateway, for which nginx waits, is probed every 3 s', () => {
    expect(composition.services['gateway']?.healthcheck?.interval).toBe('3s');
  });

  test('nats, does not run as root, and its user owns the volume before it starts', () => {
    const { user, depends_on, volumes } = composition.services['nats'] ?? {};
    expect(user).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    expect(depends_on).toEqual({ 'nats-volume': { condition: 'service_completed_successfully' } });
    const owner = composition.services['nats-volume'];
    expect(owner).toMatchObject({
      entrypoint: ['chown', '-R', user, '/data'],
      cap_add: ['CHOWN', 'DAC_READ_SEARCH'],
    });
    expect(volumes).toEqual(expect.arrayContaining([...(owner?.volumes ?? [''])]));
  });

  test.each(own)('variables of $name, include all required and no unknown ones', (service) => {
    const given = Object.keys(service.environment ?? {});
    const unknown = given.filter((name) => !knownTo(service.name).includes(name));
    expect(unknown).toEqual([]);
    const needed = variables.filter(
      ({ isRequired, services }) => isRequired && services.includes(service.name),
    );
    const isGiven = ({ name }: { name: string }) => given.includes(name) || given.includes(`${name}_FILE`);
    expect(needed.filter((variable) => !isGiven(variable))).toEqual([]);
  });

  test('addresses of services, match where they listen and what Prometheus scrapes', () => {
    const { environment } = composition.services['gateway'] ?? {};
    const urls = Object.entries(environment ?? {}).filter(([name]) => name.endsWith('_URL'));
    expect(urls.map(([, url]) => new URL(url).hostname).sort()).toEqual(
      serviceNames.filter((name) => name !== 'gateway').sort(),
    );
    for (const { environment: given } of own) {
      expect(given).toMatchObject({ HOST: '0.0.0.0', OPS_HOST: '0.0.0.0', OPS_PORT: String(portOfMetrics) });
      for (const [, url] of urls) expect(new URL(url).port).toBe(given?.['PORT']);
    }
    expect(readText('deploy/prometheus/prometheus.yml')).toContain(`targets: ['gateway:8080']`);
    expect(readText('deploy/nginx/hub.conf')).toContain('set $gateway gateway:8080;');
  });

  test('trusted proxies of the gateway, are the network of the composition and the loopback', () => {
    const { TRUSTED_PROXIES = '' } = composition.services['gateway']?.environment ?? {};
    const [subnet = 'none'] =
      /\d+(\.\d+){3}\/24/.exec(withDefaults(JSON.stringify(composition.networks))) ?? [];
    expect(withDefaults(TRUSTED_PROXIES)).toBe(`127.0.0.0/8,${subnet}`);
  });

  test('ports of the host, are published by nginx only', () => {
    expect(containers.filter(({ ports }) => ports).map(({ name }) => name)).toEqual(['nginx']);
  });

  test.each(containers)('$name, has limits for memory, processors and logs, and is restarted', (service) => {
    expect(service.deploy?.resources.limits).toMatchObject({
      cpus: expect.any(String),
      memory: expect.stringMatching(/^\d+[MG]$/),
      pids: expect.any(Number),
    });
    expect(service.logging?.options).toEqual({ 'max-size': '10m', 'max-file': '3' });
    expect(service.restart).toMatch(/^(unless-stopped|on-failure:\d)$/);
    expect([service.read_only, service.security_opt]).toEqual([true, ['no-new-privileges:true']]);
    expect(service.image).toMatch(/:(\$\{HUB_VERSION:-latest\}|v?\d[\w.-]*)$/);
  });

  test.each(own)('$name, starts after the migration and once the broker is healthy', ({ depends_on }) => {
    expect(depends_on).toEqual({
      migrate: { condition: 'service_completed_successfully' },
      nats: { condition: 'service_healthy' },
    });
  });

  test('a container that waits for a healthy service, waits for one with a health check', () => {
    const awaited = containers.flatMap(({ depends_on = {} }) =>
      Object.entries(depends_on).filter(([, { condition }]) => condition === 'service_healthy'),
    );
    expect(awaited.length).toBeGreaterThan(5);
    for (const [name] of awaited) {
      expect([name, composition.services[name]?.healthcheck ?? serviceNames.includes(name)]).not.toContain(
        false,
      );
    }
  });

  test('volumes, are declared, and mounted files exist and are read-only', () => {
    const mounts = containers.flatMap(({ volumes = [] }) => volumes).map(withDefaults);
    const [named, files] = [
      mounts.filter((mount) => /^\w/.test(mount)),
      mounts.filter((mount) => !/^\w/.test(mount)),
    ];
    expect(new Set(named.map((mount) => mount.split(':')[0]))).toEqual(
      new Set(Object.keys(composition.volumes)),
    );
    for (const mount of files) {
      expect([mount, pathExists(`deploy/${mount.split(':')[0]}`), mount.endsWith(':ro')]).toEqual([
        mount,
        true,
        true,
      ]);
    }
    expect(readText('deploy/Dockerfile')).toContain('install -d -o node -g node /data /recordings /backups');
  });
});

describe('deploy/nginx/hub.conf', () => {
  test.each(['X-Forwarded-Prefix', 'X-Ingress-Path'])('%s of a client, is removed', (name) => {
    expect(readText('deploy/nginx/hub.conf')).toContain(`proxy_set_header ${name} "";`);
  });
});

describe('deploy/nginx.conf', () => {
  test('workers, are two and end before Docker kills them', () => {
    const text = readText('deploy/nginx.conf');
    expect(text).toMatch(/^worker_processes 2;$/m);
    const [, seconds = ''] = /^worker_shutdown_timeout (\d+)s;$/m.exec(text) ?? [];
    const grace = Number.parseInt(composition.services['nginx']?.stop_grace_period ?? '', 10);
    expect(Number(seconds)).toBeGreaterThan(0);
    expect(Number(seconds)).toBeLessThan(grace);
  });

  test('HTTP/2, is switched on by the directive of nginx since 1.25.1', () => {
    const text = readText('deploy/nginx/https.conf');
    expect(text).toMatch(/^ {4}http2 on;$/m);
    expect(text).not.toMatch(/listen .*http2/);
  });
});

describe('deploy/compose.tls.yaml', () => {
  test('merged with the composition, changes only nginx, with the secrets that its server reads', () => {
    const { services, secrets } = readComposition('compose.tls.yaml');
    expect(Object.keys(services)).toEqual(['nginx']);
    const server = readText('deploy/nginx/https.conf');
    for (const name of Object.keys(secrets)) expect(server).toContain(`/run/secrets/${name};`);
    const replaced = services['nginx']?.volumes?.[0]?.split(':')[1];
    expect(composition.services['nginx']?.volumes?.map((mount) => mount.split(':')[1])).toContain(replaced);
  });
});
