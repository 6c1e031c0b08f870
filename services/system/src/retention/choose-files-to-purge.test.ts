import { describe, expect, it } from 'vitest';
import type { MeasuredRecording } from '../storage/stored-recordings.store.js';
import { chooseVictims, type KeepReason, type RetentionGoal } from './choose-files-to-purge.js';

const aRecording = (id: number, given: Partial<MeasuredRecording> = {}): MeasuredRecording => ({
  id,
  videoPath: `${id}.mp4`,
  start: id,
  favorite: false,
  hasFile: true,
  sizeBytes: 10,
  ...given,
});

async function* inSlices(recordings: readonly MeasuredRecording[]) {
  for (let at = 0; at < recordings.length; at += 2) yield recordings.slice(at, at + 2);
}

const nothing: RetentionGoal = { cutoff: 0, overBytes: 0, shortBytes: 0 };

async function choose(
  recordings: readonly MeasuredRecording[],
  goal: Partial<RetentionGoal>,
  best: readonly number[] = [],
) {
  const kept: KeepReason[] = [];
  const gone: string[] = [];
  const readBest = async () => new Set(best);
  const keep = (reason: KeepReason) => void kept.push(reason);
  for await (const slice of chooseVictims(inSlices(recordings), { ...nothing, ...goal }, readBest, keep))
    gone.push(...slice.map(({ id, reason }) => `${id} ${reason}`));
  return { gone, kept };
}

const five = [1, 2, 3, 4, 5].map((id) => aRecording(id));

describe('chooseVictims', () => {
  it('without a goal, chooses nothing and does not read the best ones', async () => {
    const best = () => Promise.reject(new Error('asked'));
    const victims = chooseVictims(inSlices(five), nothing, best, () => undefined);
    expect(await victims.next()).toEqual({ done: true, value: undefined });
  });

  it('with recordings too old, chooses all of them and no others', async () => {
    expect(await choose(five, { cutoff: 3 })).toEqual({ gone: ['1 age', '2 age'], kept: [] });
  });

  it('with too many bytes, chooses the oldest until it is enough', async () => {
    expect((await choose(five, { overBytes: 11 })).gone).toEqual(['1 max_gb', '2 max_gb']);
  });

  it('with all limits at once, counts a recording chosen for one for the others too', async () => {
    const { gone } = await choose(five, { cutoff: 2, overBytes: 20, shortBytes: 30 });
    expect(gone).toEqual(['1 age', '2 max_gb', '3 min_free']);
  });

  it('with favourites, never chooses them, however little space is left', async () => {
    const all = five.map((recording) => ({ ...recording, favorite: true }));
    const { gone, kept } = await choose(all, { cutoff: 99, overBytes: 999, shortBytes: 999 });
    expect([gone, kept.length, new Set(kept)]).toEqual([[], 5, new Set(['favorite'])]);
  });

  it('with the best of a species, keeps them at any age', async () => {
    expect(await choose(five, { cutoff: 4 }, [2, 5])).toEqual({
      gone: ['1 age', '3 age'],
      kept: ['best_of_species'],
    });
  });

  it('with the best of a species, chooses them last for free space, oldest first', async () => {
    const favorite = aRecording(6, { favorite: true });
    expect(await choose([...five, favorite], { overBytes: 40 }, [1, 2, 3])).toEqual({
      gone: ['4 max_gb', '5 max_gb', '1 max_gb', '2 max_gb'],
      kept: ['favorite', 'best_of_species'],
    });
  });

  it('when enough is chosen, reads no further', async () => {
    let read = 0;
    async function* counted() {
      for await (const slice of inSlices(five)) {
        read += slice.length;
        yield slice;
      }
    }
    const best = async () => new Set<number>();
    for await (const _ of chooseVictims(counted(), { ...nothing, cutoff: 2 }, best, () => undefined));
    expect(read).toBe(2);
  });
});
