import { describe, expect, it } from 'vitest';
import { postName } from '../load/post-recordings.js';
import { judgeLoads, liveName } from './judge-loads.js';

const load = (p99: number) => ({ count: 100, p50: 1, p975: 2, p99 });
const kept = (what: string, p99: number) => judgeLoads({ [what]: load(p99) })[0]?.isKept;

describe('judgeLoads', () => {
  it.each([
    [postName, 100],
    [liveName, 250],
    ['GET /api/ui/timeline', 250],
    ['PATCH /api/ui/videos/{id}', 250],
    ['GET /api/ui/detections/{id}/crop', 5_000],
  ])('%s, with a p99 above %i ms, fails', (what, maxMs) => {
    expect([kept(what, maxMs), kept(what, maxMs + 0.1)]).toEqual([true, false]);
  });

  it('a load without requests, fails', () => {
    expect(kept('GET /api/ui/status', Number.NaN)).toBe(false);
  });
});
