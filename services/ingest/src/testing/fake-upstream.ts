import { copyFile } from 'node:fs/promises';
import type { PostedDetection } from '@birdhub/domain/recordings';
import { aDetection } from '@birdhub/testing';
import { say } from '../sources/sentences.js';
import type {
  FetchOutcome,
  KnownEvent,
  ReadRequest,
  SourceKind,
  Upstream,
  UpstreamEvent,
  UpstreamPage,
} from '../sources/source-kind.js';

/** An in-memory upstream: a list of events, read by index. */
export class FakeUpstream {
  events: UpstreamEvent[] = [];
  dropped: UpstreamPage['dropped'] = [];
  /** The result of `fetch` by upstream id; a string is the path of a file to copy, an error is thrown. */
  files = new Map<string, FetchOutcome | string | Error>();
  /** Thrown by each call while set. */
  failure: Error | undefined;
  /** Called before each page. */
  onRead: (request: ReadRequest) => Promise<void> | void = () => undefined;
  /** Called before each file is fetched. */
  onFetch: () => Promise<void> | void = () => undefined;
  /** Replaces the page of `read`. */
  page: ((request: ReadRequest) => UpstreamPage) | undefined;
  /** Maximum number of events of a page, regardless of the request. */
  maxPage = 1_000;
  notify: (() => void) | undefined;
  readonly writtenNames: { upstreamId: string; name: string; trackId: string | undefined }[] = [];
  readonly fetched: string[] = [];
  readCount = 0;
  concurrentReads = 0;
  maxConcurrentReads = 0;
  openCount = 0;
  passwords: (string | undefined)[] = [];

  readonly kind: { -readonly [Key in keyof SourceKind]: SourceKind[Key] } = {
    name: 'frigate',
    check: ({ url }) => (url === undefined ? [{ path: '/url', message: 'is required' }] : []),
    canWriteBack: true,
    hasOneBirdPerEvent: false,
    rereadDays: 0,
    open: ({ password }) => {
      this.openCount += 1;
      this.passwords.push(password);
      return this.#open();
    },
  };

  #open(): Upstream {
    const fake = this;
    return {
      async *test() {
        yield { stage: 'address', ok: true, sentences: [say('responds')] };
        if (fake.failure) throw fake.failure;
        yield { sample: fake.events.slice(-2) };
        yield {
          stage: 'birds',
          ok: true,
          sentences: [say('other', { text: `${fake.events.length} birds.` })],
        };
      },
      async read(request) {
        fake.readCount += 1;
        fake.concurrentReads += 1;
        fake.maxConcurrentReads = Math.max(fake.maxConcurrentReads, fake.concurrentReads);
        try {
          await fake.onRead(request);
          if (fake.failure) throw fake.failure;
          if (fake.page) return fake.page(request);
          const from = typeof request.cursor === 'number' ? request.cursor : 0;
          const events = fake.events.slice(from, from + Math.min(request.limit, fake.maxPage));
          const next = from + events.length;
          return {
            events,
            dropped: from === 0 ? fake.dropped : [],
            cursor: next,
            isLast: next >= fake.events.length,
          };
        } finally {
          fake.concurrentReads -= 1;
        }
      },
      async readAgain({ upstreamId }: KnownEvent) {
        if (fake.failure) throw fake.failure;
        const event = fake.events.find((one) => one.upstreamId === upstreamId);
        const dropped = fake.dropped.find((one) => one.upstreamId === upstreamId);
        return event ? { event } : dropped && { dropped };
      },
      async fetch({ upstreamId }, file) {
        fake.fetched.push(upstreamId);
        await fake.onFetch();
        const outcome = fake.files.get(upstreamId) ?? {
          outcome: 'never',
          reason: say('clip_none', { program: 'Frigate' }),
        };
        if (outcome instanceof Error) throw outcome;
        if (typeof outcome !== 'string') return outcome;
        await copyFile(outcome, file);
        return { outcome: 'ready' };
      },
      listen: (notify, signal) =>
        new Promise((_resolve, reject) => {
          fake.notify = notify;
          signal.addEventListener('abort', () => reject(signal.reason), { once: true });
        }),
      async writeName({ upstreamId }, name, _signal, trackId) {
        if (fake.failure) throw fake.failure;
        fake.writtenNames.push({ upstreamId, name, trackId });
      },
      close: async () => undefined,
    };
  }
}

/** Returns a detection, by default of a great tit in the first two seconds. */
export function upstreamDetection(given: Partial<PostedDetection> = {}): PostedDetection {
  return aDetection({ provider: 'fake', ...given });
}

/** Returns an event, by default ten seconds long and without a file. */
export function upstreamEvent(given: Partial<UpstreamEvent> & { start: number }): UpstreamEvent {
  const { start } = given;
  return {
    upstreamId: `event-${start}`,
    end: start + 10_000,
    isOpen: false,
    camera: 'birdcam',
    processorVersion: 'fake 1.0',
    detections: [upstreamDetection()],
    media: undefined,
    extra: {},
    rereadAfterMs: [],
    ...given,
  };
}
