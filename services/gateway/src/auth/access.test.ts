import { access } from '@birdhub/shared/app';
import { describe, expect, test } from 'vitest';
import { authorize, checkBearer, type Identity, type Rule, ruleOf } from './access.js';

const identities = ['unknown', 'unprotected', 'locked', 'contributor', 'admin', 'mcp'] as const;

function outcome(rule: Rule, identity: Identity): string {
  try {
    return authorize(rule, identity);
  } catch (error) {
    return (error as { code: string }).code;
  }
}

describe('authorize', () => {
  const table: Record<Rule, readonly string[]> = {
    open: ['viewer', 'admin', 'viewer', 'contributor', 'admin', 'viewer'],
    contributor: ['starting', 'admin', 'unlock_required', 'contributor', 'admin', 'admin_required'],
    admin: ['starting', 'admin', 'unlock_required', 'admin_required', 'admin', 'admin_required'],
    adminOrMcp: ['starting', 'admin', 'unlock_required', 'admin_required', 'admin', 'mcp'],
    processor: identities.map(() => 'processor'),
  };
  test.each(Object.entries(table))(
    'the rule %s, for each identity, returns a role or throws',
    (rule, expected) => {
      expect(identities.map((identity) => outcome(rule as Rule, identity))).toEqual(expected);
    },
  );
});

describe('ruleOf', () => {
  test.each(Object.entries(access))('the requirements of %s, after JSON, are that rule', (rule, security) => {
    expect(ruleOf({ operationId: 'x', security: JSON.parse(JSON.stringify(security)) })).toBe(rule);
  });

  test.each([
    [[{ session: ['owner'] }]],
    [[{ session: [] }]],
    [[{ mcp: [] }]],
    [[{ session: ['admin'] }, { other: [] }]],
    [[{}]],
  ])('requirements that are no rule, %j, throw naming the operation', (security) => {
    expect(() => ruleOf({ operationId: 'purge', security })).toThrow('purge');
  });
});

describe('checkBearer', () => {
  test.each(['Bearer t0ken', 'bearer t0ken', 'BEARER   t0ken'])(
    'the right token, as %j, is right',
    (header) => {
      expect(checkBearer(header, 't0ken')).toBe('right');
    },
  );

  test.each([undefined, '', 'Basic dDBrZW4=', 'Digest x', 'Bearers t0ken'])(
    'no bearer token, as %j, is none',
    (header) => {
      expect(checkBearer(header, 't0ken')).toBe('none');
      expect(checkBearer(header, undefined)).toBe('none');
    },
  );

  test.each(['Bearer other', 'Bearer', 'Bearer ', 'Bearer t0ken x', 'Bearer T0KEN'])(
    'a wrong token, as %j, is wrong',
    (header) => {
      expect(checkBearer(header, 't0ken')).toBe('wrong');
      expect(checkBearer(header, undefined)).toBe('wrong');
    },
  );
});
