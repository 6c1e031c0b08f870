import { describe, expect, it } from 'vitest';
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

  it.each(['birdhub', 'mysql://user:secret@host/birdhub'])(
    'the database %s, is refused without its password',
    (url) => {
      const refused = () => readOptions({ DATABASE_URL: url }, '/repository');
      expect(refused).toThrow(/^DATABASE_URL must be an address such as postgresql:/);
      expect(refused).not.toThrow(/secret/);
    },
  );

  it('a file of a secret that is not there, is refused with its name', () => {
    expect(() => readOptions({ DATABASE_URL_FILE: '/not/there' }, '/')).toThrow(
      /DATABASE_URL_FILE.*\/not\/there/,
    );
  });
});
