import { access } from '@birdhub/shared/app';
import { describe, expect, test } from 'vitest';
import { admit, type Rule, ruleOf, type Visitor } from './caller.js';

const visitors = ['unknown', 'unprotected', 'locked', 'contributor', 'admin', 'mcp'] as const;

function outcome(rule: Rule, visitor: Visitor): string {
  try {
    return admit(rule, visitor);
  } catch (error) {
    return (error as { code: string }).code;
  }
}

describe('admit', () => {
  const table: Record<Rule, readonly string[]> = {
    open: ['viewer', 'admin', 'viewer', 'contributor', 'admin', 'viewer'],
    contributor: ['starting', 'admin', 'unlock_required', 'contributor', 'admin', 'admin_required'],
    admin: ['starting', 'admin', 'unlock_required', 'admin_required', 'admin', 'admin_required'],
    adminOrMcp: ['starting', 'admin', 'unlock_required', 'admin_required', 'admin', 'mcp'],
    processor: visitors.map(() => 'processor'),
  };
  test.each(Object.entries(table))('the rule %s, each visitor, is a caller or refused', (rule, expected) => {
    expect(visitors.map((visitor) => outcome(rule as Rule, visitor))).toEqual(expected);
  });
});

describe('ruleOf', () => {
  test.each(Object.entries(access))('the requirements of %s, read again, are that rule', (rule, security) => {
    expect(ruleOf({ operationId: 'x', security: JSON.parse(JSON.stringify(security)) })).toBe(rule);
  });

  test.each([
    [[{ session: ['owner'] }]],
    [[{ session: [] }]],
    [[{ mcp: [] }]],
    [[{ session: ['admin'] }, { other: [] }]],
    [[{}]],
  ])('requirements that are no rule, %j, are refused with the operation', (security) => {
    expect(() => ruleOf({ operationId: 'purge', security })).toThrow('purge');
  });
});
