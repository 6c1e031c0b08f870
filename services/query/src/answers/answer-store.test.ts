import { describe, expect, it } from 'vitest';
import { type Answer, createAnswerStore } from './answer-store.js';

const kilobytes = 1024;
const answer = (size = 1): Answer => ({ body: Buffer.alloc(size), etag: `W/"${size}"`, link: undefined });
const all = { recordings: 'all' } as const;

describe('an answer store', () => {
  it('an answer that was put, is found as it is', () => {
    const store = createAnswerStore(64 * kilobytes);
    const kept = answer(10);
    store.put('a', kept, all);
    expect(store.find('a')).toBe(kept);
    expect(store.find('b')).toBeUndefined();
  });

  it('more than its bytes, loses the least recently used', () => {
    const store = createAnswerStore(64 * kilobytes);
    store.put('old', answer(20 * kilobytes), all);
    store.put('used', answer(10 * kilobytes), all);
    store.find('old');
    store.put('new', answer(11 * kilobytes), all);
    expect(store.find('used')).toBeUndefined();
    expect([store.find('old'), store.find('new')]).not.toContain(undefined);
  });

  it('the same key again, counts its bytes once', () => {
    const store = createAnswerStore(64 * kilobytes);
    store.put('other', answer(), all);
    for (let size = 1; size <= 30; size += 1) store.put('a', answer(size * kilobytes), all);
    expect(store.find('other')).toBeDefined();
    expect(store.find('a')?.body).toHaveLength(30 * kilobytes);
  });

  it('one larger than the whole store, is not kept', () => {
    const store = createAnswerStore(64 * kilobytes);
    store.put('a', answer(65 * kilobytes), all);
    expect(store.find('a')).toBeUndefined();
  });

  it('a change, loses what it touches and gives its bytes free', () => {
    const store = createAnswerStore(64 * kilobytes);
    store.put('all', answer(40 * kilobytes), all);
    store.put('species', answer(), { species: true });
    store.drop({ kind: 'recordings', from: 0, to: 1 });
    expect(store.find('all')).toBeUndefined();
    store.put('next', answer(40 * kilobytes), all);
    expect([store.find('species'), store.find('next')]).not.toContain(undefined);
  });

  it('cleared, is empty and has all its room again', () => {
    const store = createAnswerStore(64 * kilobytes);
    store.put('a', answer(40 * kilobytes), all);
    store.clear();
    expect(store.find('a')).toBeUndefined();
    store.put('b', answer(20 * kilobytes), all);
    store.put('c', answer(20 * kilobytes), all);
    expect([store.find('b'), store.find('c')]).not.toContain(undefined);
  });
});
