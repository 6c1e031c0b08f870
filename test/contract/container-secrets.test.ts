import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findTool } from '@birdhub/launcher/find-tool';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { composition, containers } from './composition.js';
import { readText } from './repository-files.js';

const script = fileURLToPath(new URL('../../deploy/make-secrets.sh', import.meta.url));

describe('deploy/make-secrets.sh', () => {
  const root = mkdtempSync(join(tmpdir(), 'birdhub-secrets-'));
  const folder = join(root, 'run/secrets');
  const make = () => execFileSync('/bin/sh', [script, folder]);
  const readAll = () =>
    new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')] as const));
  let made: Map<string, string>;
  beforeAll(() => {
    make();
    made = readAll();
  });
  afterAll(() => rmSync(root, { recursive: true }));

  test('when run again, keeps its files, and the folder open only to the owner', () => {
    make();
    expect(readAll()).toEqual(made);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  test('compared with the composition, makes all files, and services get the secrets that they read', () => {
    for (const [name, { file }] of Object.entries(composition.secrets)) {
      expect([file, made.has(name)]).toEqual([`secrets/${name}`, true]);
    }
    for (const { environment = {}, secrets = [] } of containers) {
      const asked = Object.values(environment).filter((value) => value.startsWith('/run/secrets/'));
      for (const path of asked) expect(secrets).toContain(path.slice('/run/secrets/'.length));
    }
  });

  test('for servers and services, makes the same random passwords', () => {
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

  test('for the broker, makes a user that its configuration accepts', () => {
    const file = join(root, 'etc/nats/nats.conf');
    mkdirSync(join(root, 'etc/nats'), { recursive: true });
    const text = readText('deploy/nats.conf');
    expect(text).toContain('sync_interval: always');
    // Debian's nats-server is too old for this setting.
    writeFileSync(file, text.replace('sync_interval: always', ''));
    const { status, stderr } = spawnSync(findTool('nats-server'), ['-t', '-c', file], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, expect.stringContaining('is valid')]);
    writeFileSync(file, text.replace('nats_user', 'nobody').replace('sync_interval: always', ''));
    expect(spawnSync(findTool('nats-server'), ['-t', '-c', file]).status).toBe(1);
  });
});
