import type { Change } from '@birdhub/shared/db';
import { isTouched, type Scope } from './scope.js';

/** A finished answer: the bytes of its JSON and the headers that go with them. */
export interface Answer {
  readonly body: Buffer;
  readonly etag: string;
  readonly link: string | undefined;
}

/** Finished answers in memory; the least recently used go first. */
export interface AnswerStore {
  find(key: string): Answer | undefined;
  put(key: string, answer: Answer, scope: Scope): void;
  /** Forgets what the change touches. */
  drop(change: Change): void;
  clear(): void;
}

/** A small body may hold a page of Node's buffer pool, and every entry costs a look at each change. */
const entryBytes = 8_192;

/** An empty store that holds at most so many bytes. */
export function createAnswerStore(mostBytes: number): AnswerStore {
  const entries = new Map<string, { answer: Answer; scope: Scope; bytes: number }>();
  let bytes = 0;

  function remove(key: string): void {
    bytes -= entries.get(key)?.bytes ?? 0;
    entries.delete(key);
  }

  return {
    find(key) {
      const entry = entries.get(key);
      if (!entry) return undefined;
      entries.delete(key);
      entries.set(key, entry);
      return entry.answer;
    },
    put(key, answer, scope) {
      remove(key);
      const entry = { answer, scope, bytes: answer.body.length + entryBytes };
      entries.set(key, entry);
      bytes += entry.bytes;
      for (const oldest of entries.keys()) {
        if (bytes <= mostBytes) break;
        remove(oldest);
      }
    },
    drop(change) {
      for (const [key, { scope }] of entries) if (isTouched(scope, change)) remove(key);
    },
    clear() {
      entries.clear();
      bytes = 0;
    },
  };
}
