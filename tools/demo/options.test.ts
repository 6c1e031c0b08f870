import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { OptionError, readOptions } from './options.js';

describe('readOptions', () => {
  it('without arguments, posts today and then live at 6 a minute', () => {
    expect(readOptions([], {})).toMatchObject({
      hub: 'http://localhost:8080',
      token: undefined,
      recordingsDir: resolve('data/recordings'),
      cacheDir: resolve('data/demo-cache'),
      region: 'europe',
      seed: '1',
      place: { latitude: 52.5, longitude: 13.4 },
      days: 1,
      rate: 6,
    });
  });

  it.each([
    [['--days', '7'], { days: 7, rate: 1 }],
    [['--days', '7', '--once'], { days: 7, rate: undefined }],
    [['--once'], { days: 1, rate: undefined }],
    [['--rate', '12'], { days: 0, rate: 12 }],
    [['--days', '7', '--rate', '12'], { days: 7, rate: 12 }],
    [['--days', '7', '--per-day', '20'], { days: 7, perDay: 20 }],
  ])('with %j, sets the modes accordingly', (args, modes) => {
    expect(readOptions(args, {})).toMatchObject(modes);
  });

  it('with variables in the environment, takes folders and token from them', () => {
    const env = { DATA_DIR: '/srv/hub', PROCESSOR_SECRET: 's3cret' };
    expect(readOptions([], env)).toMatchObject({
      recordingsDir: '/srv/hub/recordings',
      cacheDir: '/srv/hub/demo-cache',
      token: 's3cret',
    });
    expect(readOptions([], { ...env, RECORDINGS_DIR: '/srv/clips' })?.recordingsDir).toBe('/srv/clips');
  });

  it.each([
    [[], { HUB: 'http://hub:9000/' }, 'http://hub:9000'],
    [[], { BASE_PATH: '/birds/' }, 'http://localhost:8080/birds'],
    [[], { BASE_PATH: 'birds' }, 'http://localhost:8080/birds'],
    [['--hub', 'http://hub:9000'], { HUB: 'http://x', BASE_PATH: '/birds' }, 'http://hub:9000/birds'],
    [['--hub', 'https://home.example/own/'], { BASE_PATH: '/birds' }, 'https://home.example/own'],
  ])('from %j and %j, builds the address %s', (args, env, hub) => {
    expect(readOptions(args, env)?.hub).toBe(hub);
  });

  it('with a place or a region, sets the coordinates', () => {
    expect(readOptions(['--place=-33.9,151.2'], {})?.place).toEqual({ latitude: -33.9, longitude: 151.2 });
    expect(readOptions(['--species', 'america'], {})?.place).toEqual({ latitude: 40.7, longitude: -74 });
  });

  it('with --once and --rate, throws an error that names both', () => {
    expect(() => readOptions(['--once', '--rate', '6'], {})).toThrow('--once and --rate');
  });

  it('with --help, returns undefined', () => {
    expect(readOptions(['--help'], {})).toBeUndefined();
  });

  it.each([
    ['--days', '0'],
    ['--days', '1.5'],
    ['--days', ''],
    ['--per-day', '9'],
    ['--per-day', '20.5'],
    ['--rate', '61'],
    ['--rate', 'often'],
    ['--species', 'asia'],
    ['--place', '52.5'],
    ['--place', '52.5,13.4,7'],
    ['--place', '91,0'],
    ['--hub', 'localhost:8080'],
    ['--colour', 'red'],
  ])('with %s %s, throws an error with the name of the option', (name, value) => {
    const read = () => readOptions([name, value], {});
    expect(read).toThrow(OptionError);
    expect(read).toThrow(name === '--hub' ? 'address of the hub' : name);
  });
});
