import { type AccessRule, access, type TokenScope, tokenScopes } from '@birdhub/shared/app';
import { describe, expect, test } from 'vitest';
import { accessTokenIn, authorize, authorizeToken, checkBearer, type Identity, ruleOf } from './access.js';
import { createTokenText } from './tokens.js';

const identities = ['unknown', 'unprotected', 'locked', 'contributor', 'admin', 'mcp'] as const;

function outcome(rule: AccessRule, identity: Identity): string {
  try {
    return authorize(rule, identity);
  } catch (error) {
    return (error as { code: string }).code;
  }
}

describe('authorize', () => {
  const table: Record<AccessRule, readonly string[]> = {
    open: ['viewer', 'admin', 'viewer', 'contributor', 'admin', 'viewer'],
    contributorRead: ['starting', 'admin', 'unlock_required', 'contributor', 'admin', 'admin_required'],
    contributor: ['starting', 'admin', 'unlock_required', 'contributor', 'admin', 'admin_required'],
    admin: ['starting', 'admin', 'unlock_required', 'admin_required', 'admin', 'admin_required'],
    adminOrMcp: ['starting', 'admin', 'unlock_required', 'admin_required', 'admin', 'mcp'],
    processor: identities.map(() => 'processor'),
  };
  test.each(Object.entries(table))(
    'the rule %s, for each identity, returns a role or throws',
    (rule, expected) => {
      expect(identities.map((identity) => outcome(rule as AccessRule, identity))).toEqual(expected);
    },
  );
});

const outcomeOfToken = (rule: AccessRule, scopes: readonly TokenScope[]): string => {
  try {
    return authorizeToken(rule, scopes);
  } catch (error) {
    return (error as { code: string }).code;
  }
};

describe('authorizeToken', () => {
  const refused = 'insufficient_scope';
  const table: Record<AccessRule, Record<TokenScope, string>> = {
    open: { processor: 'viewer', read: 'reader', review: 'contributor', feeder: 'viewer', admin: 'admin' },
    contributorRead: {
      processor: refused,
      read: 'reader',
      review: 'contributor',
      feeder: refused,
      admin: 'admin',
    },
    contributor: {
      processor: refused,
      read: refused,
      review: 'contributor',
      feeder: refused,
      admin: 'admin',
    },
    admin: { processor: refused, read: refused, review: refused, feeder: refused, admin: 'admin' },
    adminOrMcp: { processor: refused, read: refused, review: refused, feeder: 'feeder', admin: 'admin' },
    processor: {
      processor: 'processor',
      read: refused,
      review: refused,
      feeder: refused,
      admin: 'processor',
    },
  };
  const rules = Object.keys(table) as AccessRule[];

  test.each(rules)('the rule %s, for each scope, returns a role or throws', (rule) => {
    const found = tokenScopes.map((scope) => [scope, outcomeOfToken(rule, [scope])]);
    expect(Object.fromEntries(found)).toEqual(table[rule]);
  });

  test.each(rules)('the rule %s, admits exactly the scopes that the contract names', (rule) => {
    const published = access[rule].flatMap((requirement) =>
      'token' in requirement ? requirement.token : [],
    );
    const admitted = tokenScopes.filter((scope) => outcomeOfToken(rule, [scope]) !== refused);
    expect(new Set(published)).toEqual(new Set(rule === 'open' ? [] : admitted));
  });

  test('several scopes, allow what any of them allows, with the highest role', () => {
    const several: TokenScope[] = ['processor', 'read', 'feeder'];
    expect(rules.map((rule) => outcomeOfToken(rule, several))).toEqual([
      'reader',
      'reader',
      refused,
      refused,
      'feeder',
      'processor',
    ]);
    expect(outcomeOfToken('open', ['read', 'review'])).toBe('contributor');
    expect(outcomeOfToken('open', ['read', 'admin'])).toBe('admin');
    expect(outcomeOfToken('open', [])).toBe(refused);
  });
});

describe('accessTokenIn', () => {
  const token = createTokenText();
  const [basic, other] = ['Basic eDp5', createTokenText()];

  test.each([
    [{ authorization: `Bearer ${token}` }, token],
    [{ authorization: `bearer  ${token}` }, token],
    [{ 'x-processor-token': token }, token],
    [{ authorization: basic, 'x-processor-token': token }, token],
    [{ authorization: `Bearer ${token}`, 'x-processor-token': other }, token],
    [{ authorization: 'Bearer t0ken', 'x-processor-token': token }, undefined],
    [{ authorization: token }, undefined],
    [{ authorization: `Bearer ${token} ` }, undefined],
    [{ authorization: `Bearer ${token.slice(1)}` }, undefined],
    [{ authorization: `Bearer ${token}a` }, undefined],
    [{ 'x-processor-token': `${token}, ${token}` }, undefined],
    [{ 'x-processor-token': 'correct horse' }, undefined],
    [{}, undefined],
  ])('in %j, finds %s', (headers, expected) => {
    expect(accessTokenIn(headers, 't0ken')).toBe(expected);
  });

  test('with the text of MCP_TOKEN, finds none', () => {
    expect(accessTokenIn({ authorization: `Bearer ${token}` }, token)).toBeUndefined();
  });
});

describe('ruleOf', () => {
  test.each(Object.entries(access))(
    'the requirements of %s, after a JSON round trip, give that rule',
    (rule, security) => {
      expect(ruleOf({ operationId: 'x', security: JSON.parse(JSON.stringify(security)) })).toBe(rule);
    },
  );

  test.each([
    [[{ session: ['owner'] }]],
    [[{ session: [] }]],
    [[{ mcp: [] }]],
    [[{ session: ['admin'] }, { other: [] }]],
    [[{}]],
  ])('requirements that match no rule, %j, throw naming the operation', (security) => {
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
