import { describe, expect, it } from 'vitest';
import { Problem } from '../../api/problem';
import { checkHookName, hookRefusals, readExample, withoutEmpty } from './webhook';

describe('checkHookName', () => {
  it.each([
    ['', 'hooks.name_missing'],
    ['Garden', 'hooks.name_format'],
    ['-garden', 'hooks.name_format'],
    ['my garden', 'hooks.name_format'],
    ['frigate', 'hooks.name_taken'],
    ['birdnet-go_2', undefined],
  ])('for %j, returns %j', (name, problem) => {
    expect(checkHookName(name, ['frigate'])).toBe(problem);
  });
});

describe('hookRefusals', () => {
  it('with details from the hub, returns those of this hook by field', () => {
    const details = [
      { path: '/hooks/1/pattern', message: 'is no pattern' },
      { path: '/hooks/0/name', message: 'of another' },
      { path: '/mqtt/port', message: 'of another setting' },
    ];
    expect(hookRefusals(new Problem(400, { details }), 1)).toEqual({ pattern: 'is no pattern' });
  });

  it('with another error, returns none', () => expect(hookRefusals(new Error('x'), 0)).toEqual({}));
});

describe('withoutEmpty', () => {
  it('with empty values and a zero, keeps only the zero', () => {
    expect(withoutEmpty({ time: '', camera: undefined, min_confidence: 0 })).toEqual({ min_confidence: 0 });
  });
});

describe('readExample', () => {
  it.each(['{"a": 1', 'bird', ''])('%j, is reported as invalid JSON', (text) => {
    expect(readExample(text)).toEqual({ problem: 'hooks.not_json' });
  });
});
