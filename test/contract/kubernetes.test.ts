import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { serviceNames, serviceVariables } from '../../scripts/documents/service-variables.js';
import { findProgram } from '../support/find-program.js';
import { listBelow, readText } from './repository-files.js';

interface Named {
  readonly name: string;
}
interface Container {
  readonly image: string;
  readonly command?: readonly string[];
  readonly env: readonly (Named & { readonly value: string })[];
  readonly ports?: readonly (Named & { readonly containerPort: number })[];
  readonly volumeMounts?: readonly (Named & { readonly mountPath: string })[];
  readonly readinessProbe?: { readonly httpGet: { readonly port: string } };
}
interface PodSpec {
  readonly containers: readonly Container[];
  readonly volumes: readonly (Named & {
    readonly secret?: { readonly items: readonly { readonly key: string; readonly path: string }[] };
    readonly persistentVolumeClaim?: { readonly claimName: string };
  })[];
}
interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Named;
  readonly data?: Readonly<Record<string, string>>;
  readonly stringData?: object;
  readonly resources?: readonly string[];
  readonly images?: readonly Named[];
  readonly spec: {
    readonly template: { readonly metadata: { readonly labels: object }; readonly spec: PodSpec };
    readonly selector: { readonly matchLabels?: object };
    readonly ports: readonly (Named & { readonly port: number; readonly targetPort: string })[];
    readonly scaleTargetRef: Named;
  };
}

const folder = 'deploy/kubernetes';
const read = (name: string): Manifest[] =>
  parseAllDocuments(readText(`${folder}/${name}`)).map((document) => document.toJS() as Manifest);
const [list] = read('kustomization.yaml');
const resources = list?.resources ?? [];
const manifests = resources.flatMap(read);
const ofKind = (kind: string) => manifests.filter((manifest) => manifest.kind === kind);
const deployments = ofKind('Deployment').map((manifest) => ({ name: manifest.metadata.name, ...manifest }));
const [common] = read('every-service.yaml');
const commonContainer = common?.spec.template.spec.containers[0];
const given = ofKind('ConfigMap')[0]?.data ?? {};
const secretKeys = Object.keys(read('secret.example.yaml')[0]?.stringData ?? {});
const variables = serviceVariables();

describe('deploy/kubernetes', () => {
  test('files, in this folder, are all used', () => {
    const used = [...resources, 'kustomization.yaml', 'every-service.yaml', 'secret.example.yaml'];
    expect(listBelow(folder).sort()).toEqual(used.map((name) => `${folder}/${name}`).sort());
  });

  const kubectl = findProgram('kubectl');
  test.skipIf(!kubectl)('kubectl, where available, adds the common parts to every deployment', () => {
    const place = fileURLToPath(new URL(`../../${folder}`, import.meta.url));
    const text = execFileSync(kubectl ?? '', ['kustomize', place], { encoding: 'utf8' });
    const built = parseAllDocuments(text).map((document) => document.toJS() as Manifest);
    expect(built.length).toBe(manifests.length);
    const pods = built.filter(({ kind }) => kind === 'Deployment').map(({ spec }) => spec.template.spec);
    for (const { containers, volumes } of pods) {
      expect([containers.length, containers[0]?.ports]).toEqual([1, commonContainer?.ports]);
      const mounted = containers[0]?.volumeMounts?.map(({ name }) => name).sort();
      expect(volumes.map(({ name }) => name).sort()).toEqual(mounted);
    }
  });

  test('kinds, in all manifests, have stable API versions', () => {
    for (const { apiVersion } of manifests) expect(apiVersion).toMatch(/^([a-z0-9.]+\/)?v\d$/);
  });

  test('services of the hub, each, have a deployment, a service, a disruption budget and a named image', () => {
    for (const kind of ['Deployment', 'Service', 'PodDisruptionBudget']) {
      expect(
        ofKind(kind)
          .map(({ metadata }) => metadata.name)
          .sort(),
      ).toEqual([...serviceNames].sort());
    }
    expect(list?.images?.map(({ name }) => name).sort()).toEqual(
      serviceNames.map((name) => `birdhub/${name}`).sort(),
    );
    const scaled = ofKind('HorizontalPodAutoscaler').map(({ spec }) => spec.scaleTargetRef.name);
    expect(scaled).toEqual(['gateway', 'query']);
  });

  test.each(deployments)('variables of $name, include all required and no unknown ones', (one) => {
    const [container] = one.spec.template.spec.containers;
    const names = (container?.env ?? []).map(({ name }) => name);
    const known = variables.filter(({ services }) => services.includes(one.name));
    const isKnown = (name: string) =>
      known.some(
        (variable) => name === variable.name || (variable.isSecret && name === `${variable.name}_FILE`),
      );
    expect(names.filter((name) => !isKnown(name))).toEqual([]);
    const isGiven = (name: string) => name in given || names.includes(name) || names.includes(`${name}_FILE`);
    const needed = known.filter(({ isRequired }) => isRequired).map(({ name }) => name);
    expect(needed.filter((name) => !isGiven(name))).toEqual([]);
  });

  test('the common configuration, has only variables known to services', () => {
    const unknown = Object.keys(given).filter(
      (name) => !variables.some((variable) => variable.name === name),
    );
    expect(unknown).toEqual([]);
  });

  const pods = [...deployments, ...ofKind('Job')].map(({ metadata, spec }) => ({
    name: metadata.name,
    spec: spec.template.spec,
  }));

  test.each(pods)('secrets of $name, are mounted where it reads them and are in the example', ({ spec }) => {
    const items = spec.volumes.flatMap(({ secret }) => secret?.items ?? []);
    const asked = spec.containers[0]?.env.filter(({ name }) => name.endsWith('_FILE')) ?? [];
    expect(asked.map(({ value }) => value)).toEqual(items.map(({ path }) => `/run/secrets/birdhub/${path}`));
    for (const { key } of items) expect(secretKeys).toContain(key);
  });

  test.each(pods)('volumes of $name, are claimed and mounted', ({ spec }) => {
    const claims = ofKind('PersistentVolumeClaim').map(({ metadata }) => metadata.name);
    const claimed = spec.volumes.flatMap(({ persistentVolumeClaim: claim }) =>
      claim ? [claim.claimName] : [],
    );
    expect(claimed.filter((name) => !claims.includes(name))).toEqual([]);
    const own = spec.containers[0]?.volumeMounts?.map(({ name }) => name) ?? [];
    const mounted = new Set([...own, ...(commonContainer?.volumeMounts ?? []).map(({ name }) => name)]);
    expect(spec.volumes.filter(({ name }) => !mounted.has(name))).toEqual([]);
  });

  test('ports, match those that services listen on and probes use', () => {
    expect(commonContainer?.ports).toEqual([
      { name: 'http', containerPort: Number(given['PORT']) },
      { name: 'ops', containerPort: Number(given['OPS_PORT']) },
    ]);
    expect(commonContainer?.readinessProbe?.httpGet.port).toBe('ops');
    for (const { spec } of ofKind('Service')) {
      expect(spec.ports.map(({ targetPort }) => targetPort)).toEqual(['http', 'ops']);
    }
    const urls = deployments.flatMap(({ spec }) => spec.template.spec.containers[0]?.env ?? []);
    const hosts = urls.filter(({ name }) => name.endsWith('_URL')).map(({ value }) => new URL(value).host);
    // The gateway reaches all services, and system the reports that it sends.
    expect(hosts).toEqual(['ingest:8080', 'query:8080', 'reports:8080', 'system:8080', 'reports:8080']);
  });

  test('selectors, match the pods of their deployment', () => {
    for (const { name, spec } of deployments) {
      expect([spec.selector.matchLabels, spec.template.metadata.labels]).toEqual([
        { service: name },
        { service: name },
      ]);
    }
  });
});
