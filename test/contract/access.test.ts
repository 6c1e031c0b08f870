import { readFileSync } from 'node:fs';
import { type Operation, readContract } from '@birdhub/gateway/contract';
import type { TokenScope } from '@birdhub/shared/app';
import { type ErrorCode, errorCatalogue } from '@birdhub/shared/errors';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contractFile } from '../../scripts/hub-contract.js';
import { type AccessHub, mcpToken, startAccessHub } from './access-hub.js';
import { accessRuleOf, expectedAnswers, type Visitor, visitors } from './access-rules.js';

const { operations } = readContract(readFileSync(contractFile, 'utf8'));
let guarded: AccessHub;
let open: AccessHub;

beforeAll(async () => {
  guarded = await startAccessHub({ admin: 'adm1n', contributor: 'c0ntributor' });
  open = await startAccessHub({ admin: '', contributor: '' });
  for (const visitor of visitors) {
    const token = await tokenOf(visitor);
    if (token !== undefined) tokens.set(visitor, token);
  }
});
afterAll(() => Promise.all([guarded.close(), open.close()]));

const tokens = new Map<Visitor, string>();

/** A token for each visitor that has one. */
async function tokenOf(visitor: Visitor): Promise<string | undefined> {
  if (visitor === 'a token that has expired') return guarded.createLostToken('expired');
  if (visitor === 'a token that was revoked') return guarded.createLostToken('revoked');
  const [, scopes, isOpen] = /^a token for ([a-z ]+?)(, no password set)?$/.exec(visitor) ?? [];
  if (scopes === undefined) return undefined;
  const hub = isOpen === undefined ? guarded : open;
  return (await hub.createToken(scopes.split(' and for ') as TokenScope[])).token;
}

/** Each call has a session of its own: one of the operations ends it. */
async function proofOf(visitor: Visitor): Promise<Record<string, string>> {
  if (visitor === 'contributor' || visitor === 'admin') return { cookie: await guarded.openSession(visitor) };
  const token = tokens.get(visitor);
  if (token !== undefined) return { authorization: `Bearer ${token}` };
  if (visitor === 'the right token') return { authorization: `Bearer ${mcpToken}` };
  return visitor === 'a wrong token' ? { authorization: 'Bearer wrong' } : {};
}

/** The gateway limits wrong tokens per client, so each call comes from another one. */
let clients = 0;

async function call({ method, path }: Operation, visitor: Visitor): Promise<Response> {
  const hub = visitor.endsWith('no password set') ? open : guarded;
  const target = path.replace('{path}', '2026/a.mp4').replace(/\{\w+\}/g, '7');
  clients += 1;
  const client = { 'x-forwarded-for': `198.51.${clients >> 8}.${clients & 255}` };
  const headers = { ...client, ...(await proofOf(visitor)) };
  return fetch(hub.gateway.url + target, { method, headers, redirect: 'manual' });
}

/** Returns the caller that the service sees, or the code of the refusal. */
async function outcome(operation: Operation, visitor: Visitor): Promise<string> {
  const response = await call(operation, visitor);
  const caller = response.headers.get('x-echo-caller');
  const body = await response.text();
  if (caller !== null) return caller;
  if (![401, 403].includes(response.status)) return 'let in';
  if (operation.method === 'HEAD') return codeOfStatus(response.status, expected(operation)[visitor]);
  return (JSON.parse(body) as { code: string }).code;
}

/** A response to HEAD has no body: returns the expected code if it has the status of the response. */
function codeOfStatus(status: number, code: string): string {
  const kind = Object.hasOwn(errorCatalogue, code) ? errorCatalogue[code as ErrorCode] : undefined;
  return kind?.status === status ? code : String(status);
}

/** The gateway handles its own operations itself, whatever the role. */
function expected(operation: Operation): Record<Visitor, string> {
  const rule = accessRuleOf(operation.method, operation.path);
  if (!rule) throw new Error('contract.md gives this operation no rule');
  const responses = expectedAnswers[rule];
  if (operation.service !== 'gateway') return responses;
  const own = visitors.map((visitor) => [
    visitor,
    responses[visitor].includes('_') ? responses[visitor] : 'let in',
  ]);
  return Object.fromEntries(own) as Record<Visitor, string>;
}

describe('every operation of openapi.yaml', () => {
  test.each(operations)('$method $path, called by each visitor, is allowed or refused', async (operation) => {
    const found = await Promise.all(
      visitors.map(async (visitor) => [visitor, await outcome(operation, visitor)] as const),
    );
    expect(Object.fromEntries(found)).toEqual(expected(operation));
  });

  test('the operations, taken together, cover the rules of all kinds of callers', () => {
    const rules = new Set(operations.map(({ method, path }) => accessRuleOf(method, path)));
    expect([...rules]).toEqual(expect.arrayContaining(['open', 'contributor', 'processor']));
  });
});

describe('a wrong token', () => {
  test.each(operations)('for $method $path, is answered with 401 and the scheme', async (operation) => {
    const response = await call(operation, 'a wrong token');
    await response.text();
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  });
});
