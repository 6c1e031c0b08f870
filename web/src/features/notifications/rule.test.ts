import { readFileSync } from 'node:fs';
import { ruleDefaults } from 'virtual:rule-defaults';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { newRule, withoutUnused } from './rule';

describe('ruleDefaults', () => {
  it('for every required property except id, summary, name and when, exist', () => {
    const contract = parse(readFileSync('openapi.yaml', 'utf8')) as {
      components: { schemas: { AlertRule: { required: readonly string[] } } };
    };
    const others = ['id', 'summary', 'name', 'when'];
    const expected = contract.components.schemas.AlertRule.required.filter((name) => !others.includes(name));
    expect(Object.keys(ruleDefaults).sort()).toEqual(expected.sort());
  });
});

describe('withoutUnused', () => {
  const draft = { ...newRule, sources: [3], cameras: ['garden'], min_count: 2 };

  it.each([
    ['any_visit', { sources: [3], cameras: ['garden'], min_count: 2 }],
    ['source_silent', { sources: [3], cameras: [], min_count: 1 }],
    ['detector_silent', { sources: [], cameras: [], min_count: 1 }],
    ['storage_short', { sources: [], cameras: [], min_count: 1 }],
  ] as const)('with the trigger %s, has only its conditions', (when, expected) => {
    expect(withoutUnused({ ...draft, when })).toMatchObject(expected);
  });
});
