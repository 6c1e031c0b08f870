import { readFileSync } from 'node:fs';
import { readContract } from '@birdhub/shared/contract';
import { describe, expect, test } from 'vitest';
import { contractFile, generateContract } from '../../scripts/hub-contract.js';
import { filesOfVersion, hubVersion, packageFile, packageFolders } from '../../scripts/hub-version.js';

const committed = readFileSync(contractFile, 'utf8');
const { version, operations } = readContract(committed);
const readJson = (file: string) =>
  JSON.parse(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8'));

describe('openapi.yaml', () => {
  test('made anew from the routes, the committed file, is the same byte for byte', async () => {
    const regenerated = await generateContract();
    expect(regenerated === committed, 'run `npm run contract` and commit openapi.yaml').toBe(true);
  });

  test('its operations, the methods of this issue, are there with their service', () => {
    const served = Object.fromEntries(
      operations.map(({ method, path, service }) => [`${method} ${path}`, service]),
    );
    expect(served).toMatchObject({
      'GET /api/ui/health': 'gateway',
      'GET /api/ui/readiness': 'gateway',
      'GET /unknowns': 'gateway',
      'GET /openapi.yaml': 'gateway',
      'POST /api/processor/videos': 'ingest',
      'PUT /api/processor/species/active': 'ingest',
      'POST /api/processor/notify/detections': 'ingest',
      'POST /api/processor/notify/motion': 'ingest',
      'POST /api/processor/activity_log': 'ingest',
      'GET /api/ui/timeline': 'query',
      'GET /api/ui/videos/{id}': 'query',
      'GET /data/recordings/{path}': 'query',
    });
  });

  test.each(operations)(
    '$method $path, its access rule, names known schemes and roles',
    ({ path, security }) => {
      const known = [{ session: ['contributor'] }, { session: ['admin'] }, { mcp: [] }, { processor: [] }];
      for (const requirement of security) expect(known).toContainEqual(requirement);
      const isProcessors = path.startsWith('/api/processor/');
      expect(security.some((requirement) => 'processor' in requirement)).toBe(isProcessors);
    },
  );
});

describe('the version of the hub', () => {
  test('VERSION, contract, every package.json and the lock file, are the same', () => {
    const lock = readJson('package-lock.json');
    const versions = {
      VERSION: hubVersion(),
      'openapi.yaml': version,
      ...Object.fromEntries(
        packageFolders().map((folder) => [packageFile(folder), readJson(packageFile(folder)).version]),
      ),
      ...Object.fromEntries(
        packageFolders().map((folder) => [`lock ${folder}`, lock.packages[folder].version]),
      ),
    };
    expect(Object.keys(versions).length).toBeGreaterThan(16);
    expect(new Set(Object.values(versions)), JSON.stringify(versions)).toEqual(new Set([hubVersion()]));
  });

  test('set to what it is, every file that names it, keeps its content', () => {
    for (const { file, text } of filesOfVersion(hubVersion())) {
      const own = readFileSync(file, 'utf8');
      if (file.pathname.endsWith('.json')) expect(JSON.parse(text)).toEqual(JSON.parse(own));
      else expect(text.trim()).toBe(own.trim());
    }
  });

  test('set to another, the old one, is named nowhere', () => {
    const other = filesOfVersion('9.8.7');
    expect(other.length).toBeGreaterThan(10);
    for (const { file, text } of other) {
      expect(text, file.pathname).toContain('9.8.7');
      expect(text, file.pathname).not.toMatch(/"@birdhub\/\w+": "(?!9\.8\.7)/);
    }
  });
});
