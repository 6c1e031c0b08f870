import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Sentence, say } from './sentences.js';
import {
  type Mapped,
  type TestStage,
  type TestStageName,
  type Upstream,
  UpstreamError,
  type UpstreamEvent,
} from './source-kind.js';

/** A stage of a test; `run` returns the message of its success. */
interface StageStep {
  readonly stage: TestStageName;
  readonly run: () => Promise<Sentence | readonly Sentence[]>;
}

/** The test of a kind of source: for each stage a function that returns the message of its success. */
export interface ConnectionTest<Item> {
  readonly address: () => Promise<Sentence>;
  readonly login: () => Promise<Sentence>;
  readonly version: () => Promise<Sentence>;
  /** The stage `permission`: lists the newest birds upstream, newest first. */
  readonly list: () => Promise<readonly Item[]>;
  readonly map: (items: readonly Item[]) => Promise<readonly Mapped[]> | readonly Mapped[];
  /** The message when there are no birds. */
  readonly noBirds: Sentence;
  /** Returns the instant of the bird of an event; defaults to the start of the event. */
  readonly instantOf?: (event: UpstreamEvent) => number;
  /** Appended to the reason when no clip can be fetched; undefined when the source has no clips. */
  readonly withoutClips: readonly Sentence[] | undefined;
}

const sampleSize = 5;

/** Tests a connection stage by stage until one fails. */
export async function* testConnection<Item>(
  upstream: Pick<Upstream, 'fetch'>,
  test: ConnectionTest<Item>,
  signal: AbortSignal,
): ReturnType<Upstream['test']> {
  let items: readonly Item[] = [];
  let events: readonly UpstreamEvent[] = [];
  const {
    address,
    login,
    version,
    list,
    map,
    noBirds,
    withoutClips,
    instantOf = ({ start }) => start,
  } = test;
  yield* runStages([
    { stage: 'address', run: address },
    { stage: 'login', run: login },
    { stage: 'version', run: version },
    {
      stage: 'permission',
      run: async () => {
        items = await list();
        return say('birds_readable');
      },
    },
    {
      stage: 'birds',
      run: async () => {
        const mapped = await map(items);
        events = mapped.flatMap((one) => ('event' in one ? [one.event] : [])).slice(0, sampleSize);
        const [newest] = events;
        if (newest) return describeNewest(newest, instantOf(newest));
        if (items.length === 0) return noBirds;
        const reasons = mapped.flatMap((one) => ('dropped' in one ? [one.dropped.reason] : []));
        const noneUsable = say('none_usable', { number: items.length });
        throw new UpstreamError('birds', [noneUsable, ...reasons.slice(0, 1)]);
      },
    },
  ]);
  if (events.length === 0) return;
  yield { sample: events };
  if (withoutClips)
    yield* runStages([{ stage: 'clip', run: () => testClip(upstream, events, withoutClips, signal) }]);
}

async function* runStages(steps: readonly StageStep[]): AsyncGenerator<TestStage> {
  for (const { stage, run } of steps) {
    const outcome = await run().then(
      (sentences) => ({ stage, ok: true, sentences: [sentences].flat() }),
      (error: unknown) => {
        if (!(error instanceof UpstreamError)) throw error;
        return { stage: error.stage, ok: false, sentences: error.sentences };
      },
    );
    yield outcome;
    if (!outcome.ok) return;
  }
}

function describeNewest({ detections }: UpstreamEvent, instant: number): Sentence {
  const bird = detections[0]?.speciesName ?? '';
  return say('newest_bird', { bird: bird.split('_').at(-1) ?? '', at: new Date(instant).toISOString() });
}

/** Fetches the clip of one of the events. @throws UpstreamError when no clip can be fetched */
async function testClip(
  upstream: Pick<Upstream, 'fetch'>,
  events: readonly UpstreamEvent[],
  withoutClips: readonly Sentence[],
  signal: AbortSignal,
): Promise<Sentence | readonly Sentence[]> {
  const folder = await mkdtemp(join(tmpdir(), 'birdhub-test-'));
  const reasons: Sentence[] = [];
  let later: Sentence | undefined;
  try {
    for (const [index, { upstreamId, start, end, media }] of events.entries()) {
      const known = { upstreamId, start, end, reference: media?.reference ?? null };
      const outcome = await upstream.fetch(known, join(folder, String(index)), signal);
      if (outcome.outcome === 'ready') return say('clip_fetched');
      if (outcome.outcome === 'later') later ??= outcome.reason;
      reasons.push(outcome.reason);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  if (later) return [later, say('clip_later')];
  throw new UpstreamError('clip', [...reasons.slice(-1), ...withoutClips]);
}
