import { describe, expect, it } from 'vitest';
import { OptionError, readOptions } from './options.js';

const read = (...args: string[]) => readOptions(args, ['timeline', 'ingest']);

describe('readOptions', () => {
  it('without options, returns all cases on a million for ten seconds each', () => {
    expect(read()).toEqual({
      scale: '1m',
      cases: [],
      seconds: 10,
      against: undefined,
      isGrowth: false,
      isList: false,
    });
  });

  it('with all options, returns their values', () => {
    const given = read(
      '--scale',
      '10m',
      '--case',
      'ingest',
      '--case',
      'timeline',
      '--seconds',
      '2.5',
      '--against',
      'v1',
    );
    expect(given).toMatchObject({ scale: '10m', cases: ['ingest', 'timeline'], seconds: 2.5, against: 'v1' });
  });

  it.each([
    [['--scale', '2m'], '--scale is one of'],
    [['--case', 'overview'], 'no case "overview"'],
    [['--seconds', '0'], '--seconds is'],
    [['--seconds', 'ten'], '--seconds is'],
    [['--growth', '--against', 'v1'], 'cannot be combined'],
    [['--fast'], '--fast'],
  ])('with the invalid options %j, throws the reason', (args, reason) => {
    expect(() => read(...args)).toThrow(OptionError);
    expect(() => read(...args)).toThrow(reason);
  });
});
