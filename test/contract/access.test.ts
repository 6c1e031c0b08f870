import { readFileSync } from 'node:fs';
import { type Operation, readContract } from '@birdhub/gateway/contract';
import type { TokenScope } from '@birdhub/shared/app';
import { type ErrorCode, errorCatalogue } from '@birdhub/shared/errors';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contractFile } from '../../scripts/hub-contract.js';
import { type AccessHub, mcpToken, startAccessHub } from './access-hub.js';
import { accessRuleOf, type Caller, callers, expectedOutcomes } from './access-rules.js';

const { operations } = readContract(readFileSync(contractFile, 'utf8'));
let guarded: AccessHub;
let open: AccessHub;

beforeAll(async () => {
  guarded = await startAccessHub({ admin: 'adm1n', contributor: 'c0ntributor' });
  open = await startAccessHub({ admin: '', contributor: '' });
  for (const caller of callers) {
    const token = await tokenOf(caller);
    if (token !== undefined) tokens.set(caller, token);
  }
});
afterAll(() => Promise.all([guarded.close(), open.close()]));

const tokens = new Map<Caller, string>();

/** A token for each caller that has one. */
async function tokenOf(caller: Caller): Promise<string | undefined> {
  if (caller === 'a token that has expired') return guarded.createInvalidToken('expired');
  if (caller === 'a token that was revoked') return guarded.createInvalidToken('revoked');
  const [, scopes, isOpen] = /^a token for ([a-z ]+?)(, no password set)?$/.exec(caller) ?? [];
  if (scopes === undefined) return undefined;
  const hub = isOpen === undefined ? guarded : open;
  return (await hub.createToken(scopes.split(' and for ') as TokenScope[])).token;
}

/** Each call has a session of its own: one of the operations ends it. */
async function proofOf(caller: Caller): Promise<Record<string, string>> {
  if (caller === 'contributor' || caller === 'admin') return { cookie: await guarded.openSession(caller) };
  const token = tokens.get(caller);
  if (token !== undefined) return { authorization: `Bearer ${token}` };
  if (caller === 'the right token') return { authorization: `Bearer ${mcpToken}` };
  return caller === 'a wrong token' ? { authorization: 'Bearer wrong' } : {};
}

/** The gateway limits wrong tokens per client, so each call comes from another one. */
let clients = 0;

async function call({ method, path }: Operation, caller: Caller): Promise<Response> {
  const hub = caller.endsWith('no password set') ? open : guarded;
  const target = path.replace('{path}', '2026/a.mp4').replace(/\{\w+\}/g, '7');
  clients += 1;
  const client = { 'x-forwarded-for': `198.51.${clients >> 8}.${clients & 255}` };
  const headers = { ...client, ...(await proofOf(caller)) };
  return fetch(hub.gateway.url + target, { method, headers, redirect: 'manual' });
}

/** Returns the caller that the service sees, or the code of the refusal. */
async function outcome(operation: Operation, caller: Caller): Promise<string> {
  const response = await call(operation, caller);
  const seen = response.headers.get('x-echo-caller');
  const body = await response.text();
  if (seen !== null) return seen;
  if (![401, 403].includes(response.status)) return 'let in';
  if (operation.method === 'HEAD') return codeOfStatus(response.status, expected(operation)[caller]);
  return (JSON.parse(body) as { code: string }).code;
}

/** A response to HEAD has no body: returns the expected code if it has the status of the response. */
function codeOfStatus(status: number, code: string): string {
  const kind = Object.hasOwn(errorCatalogue, code) ? errorCatalogue[code as ErrorCode] : undefined;
  return kind?.status === status ? code : String(status);
}

/** The gateway handles its own operations itself, whatever the role. */
function expected(operation: Operation): Record<Caller, string> {
  const rule = accessRuleOf(operation.method, operation.path);
  if (!rule) throw new Error('contract.md gives this operation no rule');
  const responses = expectedOutcomes[rule];
  if (operation.service !== 'gateway') return responses;
  const own = callers.map((caller) => [
    caller,
    responses[caller].includes('_') ? responses[caller] : 'let in',
  ]);
  return Object.fromEntries(own) as Record<Caller, string>;
}

describe('every operation of openapi.yaml', () => {
  test.each(operations)('$method $path, called by each caller, is allowed or refused', async (operation) => {
    const found = await Promise.all(
      callers.map(async (caller) => [caller, await outcome(operation, caller)] as const),
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
