import { describe, expect, it } from 'vitest';
import { OptionError, readOptions } from './options.js';

describe('readOptions', () => {
  it('nothing, given, is half an hour of twenty recordings a second', () => {
    expect(readOptions([])).toEqual({ minutes: 30, rate: 20 });
  });

  it('numbers, given, are taken over', () => {
    expect(readOptions(['--minutes', '0.5', '--rate', '100'])).toEqual({ minutes: 0.5, rate: 100 });
  });

  it.each([
    [['--minutes', '0']],
    [['--minutes', 'long']],
    [['--rate', '0']],
    [['--rate', '501']],
    [['--speed', '3']],
  ])('%j, which nobody can follow, are refused', (args) => {
    expect(() => readOptions(args)).toThrow(OptionError);
  });
});
