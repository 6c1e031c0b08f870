import { compileSchema } from '@birdhub/shared/validation';
import { describe, expect, it } from 'vitest';
import { ruleDefaults } from './alert-rule.js';
import { RuleBodySchema, RuleChangeSchema } from './alert-rules.schema.js';
import { describeRule } from './describe-rule.js';

describe('the schema of a rule', () => {
  const isValid = compileSchema(RuleBodySchema, 'all');
  it.each([
    ['a name of two lines', { name: 'a\nb' }, false],
    ['a name with a NUL', { name: 'a\0b' }, false],
    ['a name with half of a pair', { name: 'a\ud800' }, false],
    ['a name of pairs', { name: '🐦'.repeat(80) }, true],
    ['a template of lines', { template: '{species}\r\n\t{time}' }, true],
    ['a template with a NUL', { template: '\0' }, false],
    ['a template with half of a pair', { template: '\udc00' }, false],
    ['a camera with a NUL', { cameras: ['garden', '\0'] }, false],
    ['a camera with half of a pair', { cameras: ['\ud800'] }, false],
  ])('with %s, is accepted or refused', (_, change, isAccepted) => {
    expect(isValid({ name: 'A', when: 'any_visit', ...change })).toBe(isAccepted);
  });
});

describe('the defaults of a rule', () => {
  const complete = (schema: object, body: object) => {
    compileSchema(schema, 'all')(body);
    return body;
  };
  it('of a new rule, replace absent fields', () => {
    const body = { name: 'A', when: 'any_visit', after_days: 2 };
    expect(complete(RuleBodySchema, { ...body })).toEqual({ ...ruleDefaults, ...body });
  });
  it('of a change, replace nothing', () => {
    expect(complete(RuleChangeSchema, { name: 'A' })).toEqual({ name: 'A' });
  });
});

describe('describeRule', () => {
  const names = {
    species: (id: number) => `species ${id}`,
    channel: (id: number) => (id === 1 ? 'Phone' : undefined),
    source: (id: number) => `source ${id}`,
  };
  it.each([
    [{}, 'Notifies about each visit, through every channel.'],
    [{ sources: [1, 2] }, 'Notifies about each visit, from source 1 or source 2, through every channel.'],
    [{ cooldown_seconds: 0 }, 'Notifies about each visit, through every channel.'],
    [
      { cooldown_seconds: 5_400, channels: [1, 9] },
      'Notifies about each visit, with a pause of 90 min for each species, through Phone.',
    ],
    [{ hours_start: '08:00', hours_end: '08:00' }, 'Notifies about each visit, through every channel.'],
    [
      { hours_start: '22:00', hours_end: '06:00', weekdays: [7, 6] },
      'Notifies about each visit, between 22:00 and 06:00, on Saturday and Sunday, through every channel.',
    ],
    [
      { quiet_hours_start: '20:00', quiet_hours_end: '20:00' },
      'Notifies about each visit, through every channel.',
    ],
    [
      { enabled: false, channels: [9] },
      'Is switched off; would notify about each visit, through no channel.',
    ],
  ])('with %j, describes it', (change, sentence) => {
    expect(describeRule({ ...ruleDefaults, name: 'A', when: 'any_visit', ...change }, names)).toBe(sentence);
  });
});
