import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { composition, containers } from './composition.js';

describe('deploy/make-secrets.sh', () => {
  let made: Map<string, string>;
  beforeAll(() => {
    const folder = mkdtempSync(join(tmpdir(), 'birdhub-secrets-'));
    const script = fileURLToPath(new URL('../../deploy/make-secrets.sh', import.meta.url));
    const run = () => execFileSync('/bin/sh', [script, join(folder, 'secrets')]);
    const readAll = () =>
      readdirSync(join(folder, 'secrets')).map(
        (name) => [name, readFileSync(join(folder, 'secrets', name), 'utf8')] as const,
      );
    run();
    made = new Map(readAll());
    expect(statSync(join(folder, 'secrets')).mode & 0o777).toBe(0o700);
    run();
    expect(new Map(readAll())).toEqual(made);
    rmSync(folder, { recursive: true });
  });

  test('files, are those that the composition names, and each secret is given to who asks', () => {
    for (const [name, { file }] of Object.entries(composition.secrets)) {
      expect([file, made.has(name)]).toEqual([`secrets/${name}`, true]);
    }
    for (const { environment = {}, secrets = [] } of containers) {
      const asked = Object.values(environment).filter((value) => value.startsWith('/run/secrets/'));
      for (const path of asked) expect(secrets).toContain(path.slice('/run/secrets/'.length));
    }
  });

  test('servers and services, get the same passwords, which nobody guesses', () => {
    const secret = (name: string) => made.get(name)?.trim() ?? '';
    expect(new URL(secret('database_url')).password).toBe(secret('postgres_password'));
    expect(new URL(secret('nats_url')).password).toBe(secret('nats_password'));
    expect(secret('nats_user')).toContain(`"${secret('nats_password')}"`);
    const random = [
      'postgres_password',
      'nats_password',
      'internal_secret',
      'secrets_key',
      'grafana_password',
    ];
    expect(new Set(random.map(secret)).size).toBe(random.length);
    for (const name of random) expect(secret(name)).toMatch(/^[0-9a-f]{64}$/);
    expect([secret('processor_secret'), secret('mcp_token')]).toEqual(['', '']);
  });
});
