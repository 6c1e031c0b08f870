import { describe, expect, it } from 'vitest';
import { readOptions } from './options.js';

describe('readOptions', () => {
  it('an empty environment, returns the defaults', () => {
    expect(readOptions({}, '/hub')).toEqual({
      dataDir: '/hub/data',
      recordingsDir: '/hub/data/recordings',
      host: '0.0.0.0',
      port: 8080,
      opsHost: '127.0.0.1',
      opsPorts: {},
      basePath: '',
      databaseUrl: undefined,
      natsUrl: undefined,
      internalSecret: undefined,
      secretsKey: undefined,
      backupPassphraseFile: undefined,
      callerDir: '.',
      isSingleProcess: false,
      opsUrls: undefined,
    });
  });

  it('ops ports, are read by service', () => {
    const { opsHost, opsPorts } = readOptions({ OPS_HOST: '10.0.0.2', QUERY_OPS_PORT: '9465' }, '/hub');
    expect([opsHost, opsPorts]).toEqual(['10.0.0.2', { query: 9465 }]);
  });

  it.each([
    [{ QUERY_OPS_PORT: '0' }, 'QUERY_OPS_PORT must be a number from 1 to 65535, not "0".'],
    [{ QUERY_OPS_PORT: '8080' }, 'QUERY_OPS_PORT is the same port as PORT: 8080.'],
    [
      { QUERY_OPS_PORT: '9465', SYSTEM_OPS_PORT: '9465' },
      'SYSTEM_OPS_PORT is the same port as QUERY_OPS_PORT: 9465.',
    ],
  ])('the ports %j, are refused by name', (env, message) => {
    expect(() => readOptions(env, '/hub')).toThrow(message);
  });

  it('relative folders, are resolved from the repository', () => {
    const options = readOptions({ DATA_DIR: 'elsewhere', RECORDINGS_DIR: '/media/birds' }, '/hub');
    expect(options).toMatchObject({ dataDir: '/hub/elsewhere', recordingsDir: '/media/birds' });
  });

  it.each(['birdhub', 'mysql://user:secret@host/birdhub'])(
    'the database URL %s, is refused without showing its password',
    (url) => {
      const refused = () => readOptions({ DATABASE_URL: url }, '/repository');
      expect(refused).toThrow(/^DATABASE_URL must be a URL such as postgresql:/);
      expect(refused).not.toThrow(/secret/);
    },
  );

  it('a missing secret file, is refused with its name', () => {
    expect(() => readOptions({ DATABASE_URL_FILE: '/not/there' }, '/')).toThrow(
      /DATABASE_URL_FILE.*\/not\/there/,
    );
  });

  it('ops URLs of services that run elsewhere, are split at commas', () => {
    const { opsUrls } = readOptions({ HUB_OPS_URLS: 'http://query:9464, http://system:9464' }, '/');
    expect(opsUrls?.map(({ host }) => host)).toEqual(['query:9464', 'system:9464']);
  });

  it.each(['query:9464', 'http://query:9464,', 'https://query:9464'])('ops URLs %s, are refused', (text) => {
    expect(() => readOptions({ HUB_OPS_URLS: text }, '/')).toThrow(/^HUB_OPS_URLS must be URLs such as/);
  });
});
