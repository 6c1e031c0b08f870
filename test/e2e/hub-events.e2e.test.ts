import type { TestHub } from '@birdhub/testing/hub';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { inOneProcess, startHubIn, useDataFolder } from './fixtures/temporary-hub.js';

const folder = useDataFolder();
let hub: TestHub;
beforeAll(async () => {
  hub = await startHubIn(folder, inOneProcess);
});

const post = (path: string, start_time: string, end_time: string) =>
  fetch(`${hub.baseUrl}/api/processor/videos`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      processor_version: '1',
      start_time,
      end_time,
      video_path: path,
      species: [{ species_name: 'Great Tit', confidence: 0.9, start_time: 0, end_time: 2, source: 'video' }],
    }),
  });

/** Subscribes through the gateway and collects the events. */
async function listen(headers: Record<string, string> = {}) {
  const stop = new AbortController();
  const response = await fetch(`${hub.baseUrl}/api/ui/events`, { headers, signal: stop.signal });
  let text = '';
  const read = async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true });
  };
  const reading = read().catch(() => undefined);
  const leave = async () => {
    stop.abort();
    await reading;
  };
  const ids = () => [...text.matchAll(/^id: (\d+)\nevent:/gm)].map((match) => Number(match[1]));
  const names = () => [...text.matchAll(/^event: (\w+)$/gm)].map((match) => match[1]);
  return { response, names, ids, leave };
}

describe('live events of a whole hub', () => {
  it('after a reconnect between two recordings, have the events of both once', async () => {
    const first = await listen();
    expect(first.response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    await post('a.mp4', '2026-05-01T08:00:00Z', '2026-05-01T08:00:10Z');
    await vi.waitUntil(() => first.names().length === 2);
    expect(first.names().toSorted()).toEqual(['recording', 'visit_started']);
    await first.leave();
    await post('b.mp4', '2026-05-01T08:00:30Z', '2026-05-01T08:00:40Z');
    const second = await listen({ 'last-event-id': String(first.ids().at(-1)) });
    await vi.waitUntil(() => second.names().length === 2);
    expect(second.names().toSorted()).toEqual(['recording', 'visit_extended']);
    expect(second.ids()[0]).toBe(Number(first.ids().at(-1)) + 1);
    await second.leave();
  });
});
