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
  ])('of %j, is %j', (name, problem) => {
    expect(checkHookName(name, ['frigate'])).toBe(problem);
  });
});

describe('hookRefusals', () => {
  it('messages of the hub, are those of this hook by field', () => {
    const details = [
      { path: '/hooks/1/pattern', message: 'is no pattern' },
      { path: '/hooks/0/name', message: 'of another' },
      { path: '/mqtt/port', message: 'of another setting' },
    ];
    expect(hookRefusals(new Problem(400, { details }), 1)).toEqual({ pattern: 'is no pattern' });
  });

  it('another failure, is of no field', () => expect(hookRefusals(new Error('x'), 0)).toEqual({}));
});

describe('a mapping', () => {
  it('leaves out what is empty and keeps a zero', () => {
    expect(withoutEmpty({ time: '', camera: undefined, min_confidence: 0 })).toEqual({ min_confidence: 0 });
  });
});

describe('readExample', () => {
  it.each(['{"a": 1', 'bird', ''])('%j, is no JSON', (text) => {
    expect(readExample(text)).toEqual({ problem: 'hooks.not_json' });
  });
});
