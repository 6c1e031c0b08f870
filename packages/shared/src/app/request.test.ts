import { EventEmitter } from 'node:events';
import type { FastifyReply } from 'fastify';
import { describe, expect, it, test } from 'vitest';
import { isCrossSite, isForeignLoad, isYes, requestIdOf, unlessDisconnected } from './request.js';

describe('requestIdOf', () => {
  it.each(['a', 'Job-1.2:3_4', 'x'.repeat(128)])('the valid id %s, is kept', (id) => {
    expect(requestIdOf({ 'x-request-id': id })).toBe(id);
  });

  it.each(['', ' ', 'a b', 'a\nb', 'a, a', 'ü', '<b>', 'x'.repeat(129), '{"a":1}'])(
    'the id %j, is replaced',
    (id) => {
      expect(requestIdOf({ 'x-request-id': id })).toMatch(/^[0-9a-f-]{36}$/);
    },
  );

  it('without an id, returns a new one each time', () => {
    expect(requestIdOf({})).not.toBe(requestIdOf({}));
  });
});

describe('isYes', () => {
  it.each(['1', 'true', 'yes', 'YES'])('%s, returns true', (flag) => {
    expect(isYes(flag)).toBe(true);
  });

  it.each([undefined, '', '0', 'false', 'no', 'on'])('%j, returns false', (flag) => {
    expect(isYes(flag)).toBe(false);
  });
});

describe('unlessDisconnected', () => {
  const failed = new Error('failed');
  const aReply = () => {
    const raw = Object.assign(new EventEmitter(), { writableFinished: false });
    const state = { isHijacked: false };
    const hijack = () => {
      state.isHijacked = true;
    };
    const reply = { raw, hijack, log: { debug: () => undefined } } as unknown as FastifyReply;
    return { raw, reply, state };
  };

  it('with work that succeeds, returns its result', async () => {
    expect(await unlessDisconnected(aReply().reply, async () => 'done')).toBe('done');
  });

  it('with work that fails while the client waits, throws its error', async () => {
    const { reply, state } = aReply();
    await expect(unlessDisconnected(reply, () => Promise.reject(failed))).rejects.toBe(failed);
    expect(state.isHijacked).toBe(false);
  });

  it('with work that fails after the client has disconnected, sends nothing', async () => {
    const { raw, reply, state } = aReply();
    const work = (signal: AbortSignal) => {
      raw.emit('close');
      return Promise.reject(signal.reason);
    };
    expect(await unlessDisconnected(reply, work)).toBe(reply);
    expect(state.isHijacked).toBe(true);
  });
});

const allowed = new Set(['https://app.example']);

function judge(origin: string | undefined, site?: string, host = 'hub.example', method = 'POST') {
  const headers = { ...(origin !== undefined && { origin }), ...(site && { 'sec-fetch-site': site }) };
  return isCrossSite({ method, headers, host }, allowed);
}

describe('isCrossSite', () => {
  test.each([
    [undefined, undefined, 'hub.example'],
    [undefined, 'same-origin', 'hub.example'],
    [undefined, 'none', 'hub.example'],
    ['http://hub.example', 'same-origin', 'hub.example'],
    ['https://hub.example', 'same-origin', 'hub.example:443'],
    ['http://hub.example', undefined, 'hub.example:80'],
    ['http://hub.example:8085', undefined, 'HUB.example:8085'],
    ['http://[::1]:8085', undefined, '[::1]:8085'],
    ['https://app.example', 'cross-site', 'hub.example'],
    ['https://app.example', 'same-site', 'hub.example'],
    ['http://hub.example', 'same-site', 'hub.example'],
  ])('origin %s and site %s at %s, returns false', (origin, site, host) => {
    expect(judge(origin, site, host)).toBe(false);
  });

  test.each([
    ['https://evil.example', undefined, 'hub.example'],
    ['https://hub.example.evil.example', undefined, 'hub.example'],
    ['https://sub.hub.example', 'same-site', 'hub.example'],
    ['http://hub.example:8086', 'same-site', 'hub.example:8085'],
    ['http://hub.example:8086', undefined, 'hub.example'],
    ['https://hub.example:80', undefined, 'hub.example'],
    ['null', undefined, 'hub.example'],
    ['null', 'cross-site', 'hub.example'],
    ['', undefined, 'hub.example'],
    ['nonsense', undefined, 'hub.example'],
    [undefined, 'cross-site', 'hub.example'],
    [undefined, 'same-site', 'hub.example'],
    [undefined, 'same-origin, cross-site', 'hub.example'],
    ['http://hub.example, http://hub.example', undefined, 'hub.example'],
    ['http://evil.example:80', 'same-origin', 'hub.example'],
    ['null', undefined, 'null'],
    ['http://hub.example', 'cross-site', 'hub.example'],
  ])('origin %s and site %s at %s, returns true', (origin, site, host) => {
    expect(judge(origin, site, host)).toBe(true);
  });

  test.each(['GET', 'HEAD', 'OPTIONS'])(
    '%s from another site, returns false, as it changes nothing',
    (method) => {
      expect(judge('https://evil.example', 'cross-site', 'hub.example', method)).toBe(false);
    },
  );

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('%s from another site, returns true', (method) => {
    expect(judge('https://evil.example', undefined, 'hub.example', method)).toBe(true);
  });
});

describe('isForeignLoad', () => {
  const load = (headers: Record<string, string>) => isForeignLoad({ headers, host: 'hub.example' }, allowed);

  test.each([
    [{}],
    [{ 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' }],
    [{ 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' }],
    [{ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }],
    [{ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors', origin: 'https://app.example' }],
    [{ 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors', origin: 'http://hub.example' }],
  ])('%j, from a person, the hub or an allowed page, is not foreign', (headers: Record<string, string>) => {
    expect(load(headers)).toBe(false);
  });

  test.each([
    [{ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }],
    [{ 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' }],
    [{ 'sec-fetch-site': 'cross-site' }],
    [{ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors', origin: 'https://evil.example' }],
    [{ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors', origin: 'null' }],
  ])('%j, from another site, is foreign', (headers: Record<string, string>) => {
    expect(load(headers)).toBe(true);
  });
});
