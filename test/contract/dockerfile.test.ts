import { describe, expect, test } from 'vitest';
import { serviceNames } from '../../scripts/documents/service-variables.js';
import { parseCopy, parseDockerfile } from '../deploy/parse-dockerfile.js';
import { listBelow, pathExists, readText } from './repository-files.js';

describe('deploy/Dockerfile', () => {
  const steps = serviceNames.flatMap((SERVICE) =>
    parseDockerfile(readText('deploy/Dockerfile'), { SERVICE }).flatMap((stage) => stage.steps),
  );

  test('files copied from the repository, exist', () => {
    const copies = steps.filter(({ name }) => name === 'COPY').map(({ text }) => parseCopy(text));
    const sources = copies.filter(({ from }) => from === undefined).flatMap((copy) => copy.sources);
    expect(new Set(sources).size).toBeGreaterThan(15);
    expect(sources.filter((name) => !pathExists(name))).toEqual([]);
  });

  test('data files that all services read, are in every image', () => {
    const files = ['packages/domain/src', 'packages/shared/src']
      .flatMap(listBelow)
      .filter((name) => /\.(csv|json|txt|svg)$/.test(name) && !name.includes('/testing/'));
    expect(files).toContain('packages/domain/src/species/earlier-names.csv');
    for (const SERVICE of serviceNames) {
      const last = parseDockerfile(readText('deploy/Dockerfile'), { SERVICE }).at(-1);
      const copied = (last?.steps ?? []).filter(({ name }) => name === 'COPY').map(({ text }) => text);
      expect(files.filter((file) => !copied.some((text) => text.split(' ').includes(file)))).toEqual([]);
    }
  });

  test('manifests of every workspace that is built, are copied', () => {
    const { workspaces } = JSON.parse(readText('package.json')) as { workspaces: string[] };
    expect(workspaces).toEqual(['packages/*', 'services/*', 'web', 'tools', 'test']);
    const folders = [
      ...serviceNames.map((name) => `services/${name}`),
      ...['shared', 'domain', 'demo', 'testing', 'launcher', 'cli'].map((name) => `packages/${name}`),
      'web',
    ];
    const copied = steps.map(({ text }) => text);
    for (const folder of folders) expect(copied).toContain(`${folder}/package.json ${folder}/`);
  });

  test('the first line, names no frontend, which would have to be pulled', () => {
    expect(readText('deploy/Dockerfile')).not.toMatch(/^#\s*syntax=/m);
  });

  test('packages of `npm run hub`, are installed in the image of system', () => {
    const stages = parseDockerfile(readText('deploy/Dockerfile'), { SERVICE: 'system' });
    const installs = (stages.find(({ name }) => name === 'dependencies')?.steps ?? []).filter(
      ({ name, text }) => name === 'RUN' && text.includes('npm ci'),
    );
    expect(installs).toHaveLength(1);
    expect(installs[0]?.text).toContain('[ "system" != system ] || echo --workspace=@birdhub/cli');
  });

  test('ffmpeg and sharp, are in layers shared by ingest, reports and system', () => {
    const stages = parseDockerfile(readText('deploy/Dockerfile'), { SERVICE: 'system' });
    const stage = (name: string) => stages.find((one) => one.name === name);
    for (const service of ['ingest', 'reports', 'system']) expect(stage(service)?.from).toBe('media');
    const before = [...(stage('base')?.steps ?? []), ...(stage('media')?.steps ?? [])];
    const copies = before.filter(({ name }) => name === 'COPY').map(({ text }) => text);
    expect(copies).toEqual([
      '--from=ffmpeg /media /',
      '--from=packages /app/node_modules/@img node_modules/@img',
    ]);
    expect(before.filter(({ text }) => /apt-get.* ffmpeg/.test(text))).toEqual([]);
  });

  test('variables and user, are those of a service reached from outside', () => {
    const { text = '' } = steps.find(({ name }) => name === 'ENV') ?? {};
    expect(text).toContain('HOST=0.0.0.0 PORT=8080 OPS_HOST=0.0.0.0 OPS_PORT=9464');
    expect(steps.filter(({ name }) => name === 'USER').map(({ text: user }) => user)).toContain('node');
  });
});
