import { isDeepStrictEqual } from 'node:util';
import { access } from '@birdhub/shared/app';
import type { Operation, Security } from '@birdhub/shared/contract';
import { type ErrorCode, HubError } from '@birdhub/shared/errors';

/** Who is calling, as the services are told in `x-hub-caller`. */
export type Caller = 'viewer' | 'contributor' | 'admin' | 'mcp' | 'processor';

/**
 * Who stands before the door: `unprotected` is anybody while no password is set, `unknown` anybody while it is not
 * known whether one is, `mcp` who shows the token of `MCP_TOKEN`.
 */
export type Visitor = 'unknown' | 'unprotected' | 'locked' | 'contributor' | 'admin' | 'mcp';

/** One of the rules that operations declare. */
export type Rule = keyof typeof access;

type Verdict = Caller | { readonly refused: ErrorCode };

const locked: Verdict = { refused: 'unlock_required' };
const adminsOnly: Verdict = { refused: 'admin_required' };
const notYet: Verdict = { refused: 'starting' };

const anyone = (caller: Caller): Record<Visitor, Verdict> => ({
  unknown: caller,
  unprotected: caller,
  locked: caller,
  contributor: caller,
  admin: caller,
  mcp: caller,
});
const unlocked = {
  unknown: notYet,
  unprotected: 'admin',
  locked,
  contributor: 'contributor',
  admin: 'admin',
  mcp: adminsOnly,
} as const;

const verdicts: Readonly<Record<Rule, Readonly<Record<Visitor, Verdict>>>> = {
  open: { ...anyone('viewer'), unprotected: 'admin', contributor: 'contributor', admin: 'admin' },
  contributor: unlocked,
  admin: { ...unlocked, contributor: adminsOnly },
  adminOrMcp: { ...unlocked, contributor: adminsOnly, mcp: 'mcp' },
  processor: anyone('processor'),
};

/** The rule that an operation's access requirements are. Throws for requirements that are none of the rules. */
export function ruleOf({ operationId, security }: Pick<Operation, 'operationId' | 'security'>): Rule {
  const rules = Object.entries(access) as [Rule, Security][];
  const found = rules.find(([, requirements]) => isDeepStrictEqual(requirements, security));
  if (!found) throw new Error(`The contract guards ${operationId} by a rule that the gateway does not know`);
  return found[0];
}

/** Says that it is not known yet whether there are passwords. */
export function notKnownYet(): HubError {
  return new HubError('starting', { retryAfterSeconds: 2 });
}

/**
 * As whom a visitor calls an operation with this rule.
 * @throws HubError unlock_required, admin_required, starting
 */
export function admit(rule: Rule, visitor: Visitor): Caller {
  const verdict = verdicts[rule][visitor];
  if (typeof verdict === 'string') return verdict;
  throw verdict.refused === 'starting' ? notKnownYet() : new HubError(verdict.refused);
}
