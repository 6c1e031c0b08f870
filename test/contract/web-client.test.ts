import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { readText } from './repository-files.js';

test('the client of the web UI, generated again from openapi.yaml, is identical', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'birdhub-client-'));
  const made = join(folder, 'schema.d.ts');
  const args = ['exec', '--workspace=web', '--', 'openapi-typescript', '../openapi.yaml', '--output', made];
  await promisify(execFile)('npm', args, { cwd: fileURLToPath(new URL('../..', import.meta.url)) });
  expect(await readFile(made, 'utf8')).toBe(readText('web/src/api/schema.d.ts'));
  await rm(folder, { recursive: true });
});
