import { describe, expect, test } from 'vitest';
import { serviceNames } from '../../scripts/documents/service-variables.js';
import { parseCopy, parseDockerfile } from '../deploy/parse-dockerfile.js';
import { isThere, readText } from './repository-files.js';

describe('deploy/Dockerfile', () => {
  const steps = serviceNames.flatMap((SERVICE) =>
    parseDockerfile(readText('deploy/Dockerfile'), { SERVICE }).flatMap((stage) => stage.steps),
  );

  test('what it copies from the repository, is there', () => {
    const copies = steps.filter(({ name }) => name === 'COPY').map(({ text }) => parseCopy(text));
    const sources = copies.filter(({ from }) => from === undefined).flatMap((copy) => copy.sources);
    expect(new Set(sources).size).toBeGreaterThan(15);
    expect(sources.filter((name) => !isThere(name))).toEqual([]);
  });

  test('manifests, are copied of every workspace that is built', () => {
    const { workspaces } = JSON.parse(readText('package.json')) as { workspaces: string[] };
    expect(workspaces).toEqual(['packages/*', 'services/*', 'web', 'deploy/local', 'test']);
    const folders = [
      ...serviceNames.map((name) => `services/${name}`),
      'packages/shared',
      'web',
      'deploy/local',
    ];
    const copied = steps.map(({ text }) => text);
    for (const folder of folders) expect(copied).toContain(`${folder}/package.json ${folder}/`);
  });

  test('its variables and its user, are those of a service that is reached from outside', () => {
    const { text = '' } = steps.find(({ name }) => name === 'ENV') ?? {};
    expect(text).toContain('HOST=0.0.0.0 PORT=8080 OPS_HOST=0.0.0.0 OPS_PORT=9464');
    expect(steps.filter(({ name }) => name === 'USER').map(({ text: user }) => user)).toContain('node');
  });
});
