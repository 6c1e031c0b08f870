import { describe, expect, it } from 'vitest';
import { OptionError, readOptions } from './options.js';

describe('readOptions', () => {
  it('without arguments, returns half an hour at twenty recordings a second', () => {
    expect(readOptions([])).toEqual({ minutes: 30, rate: 20 });
  });

  it('with numbers, returns them', () => {
    expect(readOptions(['--minutes', '0.5', '--rate', '100'])).toEqual({ minutes: 0.5, rate: 100 });
  });

  it.each([
    [['--minutes', '0']],
    [['--minutes', 'long']],
    [['--rate', '0']],
    [['--rate', '501']],
    [['--speed', '3']],
  ])('with the invalid arguments %j, throws', (args) => {
    expect(() => readOptions(args)).toThrow(OptionError);
  });
});
