import { describe, expect, it } from 'vitest';
import { LauncherError } from './launcher-error.js';
import { readOptions } from './options.js';

describe('readOptions', () => {
  it('an empty environment, gives the defaults', () => {
    expect(readOptions({}, '/hub')).toEqual({
      dataDir: '/hub/data',
      recordingsDir: '/hub/data/recordings',
      host: '0.0.0.0',
      port: 8080,
      basePath: '',
      databaseUrl: undefined,
      natsUrl: undefined,
      internalSecret: undefined,
      secretsKey: undefined,
      backupPassphraseFile: undefined,
      callerDir: '.',
      isSingleProcess: false,
    });
  });

  it('relative folders, are taken from the repository', () => {
    const options = readOptions({ DATA_DIR: 'elsewhere', RECORDINGS_DIR: '/media/birds' }, '/hub');
    expect(options).toMatchObject({ dataDir: '/hub/elsewhere', recordingsDir: '/media/birds' });
  });

  it.each(['/hub', 'hub', '/hub/'])('a base path written as %s, is /hub', (path) => {
    expect(readOptions({ BASE_PATH: path }, '/').basePath).toBe('/hub');
  });

  it.each(['http', '-1', '65536', '80.5'])('the port "%s", is refused in one sentence', (port) => {
    expect(() => readOptions({ PORT: port }, '/')).toThrow(LauncherError);
  });

  it('empty variables, count as not set', () => {
    const options = readOptions({ DATABASE_URL: '', NATS_URL: '', PORT: '', HOST: '' }, '/');
    expect(options).toMatchObject({
      databaseUrl: undefined,
      natsUrl: undefined,
      port: 8080,
      host: '0.0.0.0',
    });
  });

  it('a file of a secret that is not there, is refused with its name', () => {
    expect(() => readOptions({ DATABASE_URL_FILE: '/not/there' }, '/')).toThrow(
      /DATABASE_URL_FILE.*\/not\/there/,
    );
  });
});
