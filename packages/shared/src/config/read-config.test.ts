import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { literals } from './common-config.js';
import { ConfigError, readConfig, variableName } from './read-config.js';

const schema = Type.Object({
  databaseUrl: Type.String({ secret: true }),
  dataDir: Type.String({ default: './data' }),
  opsPort: Type.Integer({ default: 0, minimum: 0, maximum: 65_535 }),
  logLevel: literals(['info', 'debug'], { default: 'info' }),
  apiToken: Type.Optional(Type.String({ secret: true, minLength: 3 })),
});
const databaseUrl = 'postgres://user:hidden@host/db';

function mistakesOf(env: NodeJS.ProcessEnv): string {
  try {
    readConfig(schema, env);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message;
  }
  throw new Error('the environment was taken');
}

describe('variableName', () => {
  it.each([
    ['port', 'PORT'],
    ['databaseReadUrl', 'DATABASE_READ_URL'],
  ])('%s, becomes %s', (key, name) => {
    expect(variableName(key)).toBe(name);
  });
});

describe('readConfig', () => {
  let folder: string;
  let file: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'birdhub-config-'));
    file = join(folder, 'url');
    writeFileSync(file, `${databaseUrl}\n`);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('unset and empty variables, have their defaults, and other variables are ignored', () => {
    const env = { DATABASE_URL: databaseUrl, DATA_DIR: '', HOME: '/root' };
    expect(readConfig(schema, env)).toEqual({ databaseUrl, dataDir: './data', opsPort: 0, logLevel: 'info' });
  });

  it('numbers, are converted from text, and the result is frozen', () => {
    const config = readConfig(schema, { DATABASE_URL: databaseUrl, OPS_PORT: '9090' });
    expect(config.opsPort).toBe(9_090);
    expect(Object.isFrozen(config)).toBe(true);
  });

  it('a secret in a file, is read without the line break and takes precedence', () => {
    const env = { DATABASE_URL_FILE: file, DATABASE_URL: 'other' };
    expect(readConfig(schema, env).databaseUrl).toBe(databaseUrl);
  });

  it('a variable that is not a secret, is not read from a file', () => {
    expect(readConfig(schema, { DATABASE_URL: databaseUrl, DATA_DIR_FILE: file }).dataDir).toBe('./data');
  });

  it('several mistakes, are all reported by variable', () => {
    const message = mistakesOf({ OPS_PORT: 'many', LOG_LEVEL: 'loud', API_TOKEN: 'ab' });
    for (const name of ['DATABASE_URL is missing', 'OPS_PORT', 'LOG_LEVEL', 'API_TOKEN']) {
      expect(message).toContain(name);
    }
  });

  it('a secret file that cannot be read, is reported by variable with the other mistakes', () => {
    const message = mistakesOf({ DATABASE_URL_FILE: join(folder, 'nothing'), OPS_PORT: '-1' });
    expect(message).toContain('DATABASE_URL_FILE');
    expect(message).toContain('OPS_PORT');
  });

  it('a mistake in a secret, does not show its value', () => {
    expect(mistakesOf({ DATABASE_URL: databaseUrl, API_TOKEN: 'zz' })).not.toMatch(/zz|hidden/);
  });
});
