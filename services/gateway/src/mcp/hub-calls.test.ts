import type { HubApp } from '@birdhub/shared/app';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { HubCalls } from './hub-calls.js';
import { mediaTools } from './media-tools.js';
import { speciesTools } from './species-tools.js';
import type { HubTool } from './tool.js';

/** Returns calls of a hub that answers each path with this JSON, and the requests that it got. */
function createCalls(answer: (path: string) => unknown) {
  const urls: URL[] = [];
  let open = 0;
  let highest = 0;
  const inject = async ({ url }: { url: string }) => {
    const target = new URL(url, 'http://hub');
    urls.push(target);
    open += 1;
    highest = Math.max(highest, open);
    await new Promise((resolve) => setImmediate(resolve));
    open -= 1;
    const rawPayload = Buffer.from(JSON.stringify(answer(target.pathname)));
    return { statusCode: 200, headers: {}, rawPayload };
  };
  const caller = {
    authorization: 'Bearer x',
    language: 'en',
    peer: undefined,
    forwarded: {},
    publicUrl: 'http://hub',
  } as const;
  const hub = new HubCalls({ inject } as unknown as HubApp, '', caller);
  return { hub, urls, highest: () => highest };
}

const toolOf = (tools: readonly HubTool[], name: string): HubTool => {
  const found = tools.find((tool) => tool.name === name);
  if (!found) throw new Error(`no tool ${name}`);
  return found;
};

describe('find_species', () => {
  test('with a hundred species found, sends a few requests at a time', async () => {
    const listed = Array.from({ length: 100 }, (_, index) => ({
      id: index + 1,
      name: `Bird ${index}`,
      scientific_name: null,
      visits: 1,
    }));
    const answer = (path: string) => {
      if (path.endsWith('/species')) return listed;
      if (path.endsWith('/summary'))
        return { stats: { timeRange: { last_sighting: '2026-05-01T08:00:00Z' } } };
      return { species_id: null, timezone: 'UTC' };
    };
    const { hub, highest } = createCalls(answer);
    const { value } = await toolOf(speciesTools, 'find_species').run({ text: 'bird', limit: 100 }, hub);
    expect((value as { species: object[] }).species).toHaveLength(100);
    expect(highest()).toBe(8);
  });
});

describe('doubtful', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('without days, in the week in which clocks are set back, covers seven calendar days', async () => {
    vi.setSystemTime('2026-10-30T22:30:00Z');
    const { hub, urls } = createCalls((path) =>
      path.endsWith('/unknowns') ? [] : { timezone: 'Europe/Berlin' },
    );
    await toolOf(mediaTools, 'doubtful').run({}, hub);
    const query = urls.find(({ pathname }) => pathname.endsWith('/unknowns'))?.searchParams;
    expect([query?.get('start_time'), query?.get('end_time')]).toEqual([
      '2026-10-23T22:00:00.000Z',
      '2026-10-30T23:00:00.000Z',
    ]);
  });
});
