import { type Bus, BusUnavailableError } from '@birdhub/shared/bus';
import { describe, expect, it } from 'vitest';
import { createPictureRequests } from './picture-requests.js';

type Reply = Awaited<ReturnType<Bus['request']>>;

/** Collects requests; the test decides when each gets its reply. */
function setUp(maxWaiting?: number) {
  const requested: number[] = [];
  const ends: ((reply: Reply | Error) => void)[] = [];
  const bus = {
    request: (_subject: string, { video_id }: { readonly video_id: number }) =>
      new Promise<Reply>((resolve, reject) => {
        requested.push(video_id);
        ends.push((reply) => (reply instanceof Error ? reject(reply) : resolve(reply)));
      }),
  };
  const { request } = createPictureRequests({ bus, ...(maxWaiting !== undefined && { maxWaiting }) });
  return { requested, request, end: (reply: Reply | Error) => ends.shift()?.(reply) };
}

describe('picture requests', () => {
  it('several callers for one recording, share one request', async () => {
    const { requested, request, end } = setUp();
    const outcomes = Promise.all([request(1), request(1), request(1)]);
    end({ outcome: 'made' });
    expect(await outcomes).toEqual(['made', 'made', 'made']);
    expect(requested).toEqual([1]);
    void request(1);
    expect(requested).toEqual([1, 1]);
  });

  it.each([
    [{ outcome: 'unmade' }, 'unmade'],
    [{ outcome: 'pending' }, 'late'],
    [{ outcome: 'busy' }, 'late'],
    [undefined, 'late'],
    [new BusUnavailableError('away'), 'unavailable'],
  ] as const)('a reply of %j, results in %s', async (reply, outcome) => {
    const { request, end } = setUp();
    const result = request(1);
    end(reply);
    expect(await result).toBe(outcome);
  });

  it('callers beyond the limit, are refused at once, and accepted again when others have left', async () => {
    const { requested, request, end } = setUp(10);
    const waiting = Array.from({ length: 10 }, (_, id) => request(id));
    const refused = await Promise.all(Array.from({ length: 990 }, (_, id) => request(100 + id)));
    expect([requested.length, new Set(refused)]).toEqual([10, new Set(['late'])]);
    end({ outcome: 'made' });
    await waiting[0];
    void request(5_000);
    expect(requested.at(-1)).toBe(5_000);
  });
});
