import fc from 'fast-check';

/** The species of random histories. */
export const historySpecies = ['Grand', 'Parent', 'First Child', 'Second Child', 'Stranger'];

/** The ranges of the random values of a history. */
export interface Spread {
  /** Maximum number in the path of a recording. */
  readonly keys: number;
  readonly cameras: readonly string[];
  /** Latest start of a recording in seconds. */
  readonly starts: number;
  readonly tracks: readonly (string | null)[];
  readonly steps: number;
}

const anyChoice = <T extends string>(kind: T) => fc.record({ kind: fc.constant(kind), choice: fc.nat() });

function anyStep({ keys, cameras, starts, tracks }: Spread) {
  const anyRow = fc.record({
    speciesName: fc.constantFrom(...historySpecies),
    source: fc.constantFrom('video' as const, 'audio' as const),
    startOffset: fc.nat({ max: 40 }),
    length: fc.nat({ max: 20 }),
    trackId: fc.constantFrom(...tracks),
    reviewed: fc.boolean(),
  });
  const anyPost = fc.record({
    kind: fc.constant('post' as const),
    key: fc.nat({ max: keys }),
    camera: fc.constantFrom(...cameras),
    start: fc.nat({ max: starts }),
    rows: fc.array(anyRow, { maxLength: 5 }),
  });
  const anyCorrection = fc.record({
    kind: fc.constant('correct' as const),
    choice: fc.nat(),
    speciesName: fc.constantFrom(...historySpecies),
    scope: fc.constantFrom('single_track' as const, 'visit' as const),
  });
  const anyGap = fc.record({
    kind: fc.constant('gap' as const),
    gapMs: fc.constantFrom(0, 10_000, 30_000, 60_000),
  });
  return fc.oneof(
    { weight: 6, arbitrary: anyPost },
    { weight: 4, arbitrary: anyCorrection },
    { weight: 1, arbitrary: anyChoice('confirm') },
    { weight: 3, arbitrary: anyChoice('revert') },
    { weight: 1, arbitrary: anyChoice('remove') },
    { weight: 1, arbitrary: anyGap },
  );
}

/** Steps that are applied to a hub in order. */
export const anySteps = (spread: Spread) =>
  fc.array(anyStep(spread), { minLength: 1, maxLength: spread.steps, size: 'max' });

type Step = ReturnType<typeof anyStep> extends fc.Arbitrary<infer T> ? T : never;

/** A step of any kind, or of the given kinds. */
export type HistoryStep<K extends Step['kind'] = Step['kind']> = Extract<Step, { kind: K }>;
