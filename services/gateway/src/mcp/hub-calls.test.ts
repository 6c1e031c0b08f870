import type { HubApp } from '@birdhub/shared/app';
import { type Clock, systemClock } from '@birdhub/shared/time';
import { fixedClock } from '@birdhub/testing/clocks';
import { describe, expect, test } from 'vitest';
import { HubCalls } from './hub-calls.js';
import { mediaTools } from './media-tools.js';
import { speciesTools } from './species-tools.js';
import type { HubTool } from './tool.js';
import { visitTools } from './visit-tools.js';
import { writeTools } from './write-tools.js';

/** Returns calls of a hub that answers each path with this JSON, and the requests that it got. */
function createCalls(answer: (path: string) => unknown, clock: Clock = systemClock) {
  const urls: URL[] = [];
  let open = 0;
  let highest = 0;
  const sent: { readonly url: string }[] = [];
  const inject = async (request: { url: string }) => {
    const { url } = request;
    sent.push(request);
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
  const hub = new HubCalls({ inject } as unknown as HubApp, '', caller, clock);
  return { hub, urls, sent, highest: () => highest };
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

describe('tools for visits', () => {
  const answer = (path: string) => {
    if (path.endsWith('/resolve')) return { species_id: 40, name: 'Tits' };
    if (path.endsWith('/comparison'))
      return {
        periods: [5, 3].map((visits) => ({ start_date: '', end_date: '', visits, species: 2 })),
        species: [41, 42].map((id) => ({ id, name: `Tit ${id}`, scientific_name: null, visits: [2, 1] })),
      };
    return path.endsWith('/status') ? { timezone: 'UTC' } : [];
  };
  const periods = { from: '2026-05-01', to: '2026-05-02', other_from: '2026-04-01', other_to: '2026-04-02' };

  test('compare_periods of a family, counts the visits of all its species', async () => {
    const { hub, urls } = createCalls(answer);
    const { value } = await toolOf(visitTools, 'compare_periods').run({ ...periods, species: 'Tits' }, hub);
    expect(urls.at(-1)?.searchParams.get('species_id')).toBe('40');
    expect(value).toMatchObject({
      periods: [
        { visits: 5, species: 2 },
        { visits: 3, species: 2 },
      ],
      species: [{ species_id: 41 }, { species_id: 42 }],
    });
  });

  test('who_came of a family, asks for the visits of all its species', async () => {
    const { hub, urls } = createCalls(answer);
    await toolOf(visitTools, 'who_came').run({ date: '2026-05-01', species: 'Tits' }, hub);
    const asked = urls.filter(({ pathname }) => pathname.includes('/timeline'));
    expect(asked.map(({ searchParams }) => searchParams.get('taxon_id'))).toEqual(['40', '40']);
  });
});

describe('tools for media', () => {
  const answer = (path: string) => {
    if (path.endsWith('/detections/5'))
      return { video_id: 9, media_kind: 'audio', species_name: 'Wren', start_time: '2026-05-01T08:00:00Z' };
    return path.endsWith('/status')
      ? { timezone: 'UTC' }
      : { media_kind: 'audio', start_time: '2026-05-01T08:00:00Z', species: [] };
  };

  test('show_picture of a detection, names its bird and links to its recording', async () => {
    const { hub } = createCalls(answer);
    const { value, links } = await toolOf(mediaTools, 'show_picture').run({ detection_id: 5 }, hub);
    expect(value).toEqual({ shown: 'Wren, 2026-05-01T08:00:00+00:00', page: 'http://hub/videos/9' });
    expect(links).toMatchObject([{ uri: 'http://hub/api/ui/videos/9/stream', mimeType: 'audio/*' }]);
  });

  test('listen to a detection, returns the sound of its recording', async () => {
    const { hub } = createCalls(answer);
    const { value, sound } = await toolOf(mediaTools, 'listen').run({ detection_id: 5 }, hub);
    expect(value).toMatchObject({ video_id: 9 });
    expect(sound).toBeDefined();
  });
});

describe('watch_for', () => {
  const watchFor = async (name: string, limits: object = {}) => {
    const rule = {
      ...{ id: 3, name: 'Watch for Old Wren', when: 'any_visit', species: [9], once_per: null },
      ...{ except_species: [], cameras: [], sources: [], channels: [], min_confidence: 0, min_count: 1 },
      ...{ hours_start: '', hours_end: '', weekdays: [] },
      ...limits,
    };
    const answer = (path: string) => {
      if (path.endsWith('/resolve')) return { species_id: name === 'Wren' ? 8 : 7, name };
      if (path.endsWith('/species/9/summary')) return { species: { id: 8, name: 'Wren' } };
      return path.endsWith('/alert-rules') ? [rule] : { id: 3, summary: '' };
    };
    const { hub, sent } = createCalls(answer);
    await toolOf(writeTools, 'watch_for').run({ species: name }, hub);
    return sent.at(-1);
  };

  test('of a species into which that of a rule was merged, enables the rule', async () => {
    expect(await watchFor('Wren')).toMatchObject({ method: 'PATCH', url: '/api/ui/alert-rules/3' });
  });

  test.each([
    { hours_start: '22:00', hours_end: '05:00' },
    { weekdays: [6, 7] },
    { cameras: ['a'] },
    { min_count: 2 },
  ])('with a rule that is limited to %o, creates another rule', async (limits) => {
    expect(await watchFor('Wren', limits)).toMatchObject({ method: 'POST' });
  });

  test('of a species with a long name, shortens the name of the rule', async () => {
    expect(await watchFor('x'.repeat(100))).toMatchObject({
      method: 'POST',
      payload: { name: `Watch for ${'x'.repeat(70)}` },
    });
  });
});

describe('doubtful', () => {
  test('without days, in the week in which clocks are set back, covers seven calendar days', async () => {
    const { hub, urls } = createCalls(
      (path) => (path.endsWith('/unknowns') ? [] : { timezone: 'Europe/Berlin' }),
      fixedClock(Date.parse('2026-10-30T22:30:00Z')),
    );
    await toolOf(mediaTools, 'doubtful').run({}, hub);
    const query = urls.find(({ pathname }) => pathname.endsWith('/unknowns'))?.searchParams;
    expect([query?.get('start_time'), query?.get('end_time')]).toEqual([
      '2026-10-23T22:00:00.000Z',
      '2026-10-30T23:00:00.000Z',
    ]);
  });
});
