import { type TestStage, type TestStageName, UpstreamError } from './source-kind.js';

/** A stage of a test; `run` returns what is said when it succeeds. */
export interface StageStep {
  readonly stage: TestStageName;
  readonly run: () => Promise<string>;
}

/** Runs the stages of a test in order, and ends with the first that fails. */
export async function* runStages(steps: readonly StageStep[]): AsyncGenerator<TestStage> {
  for (const { stage, run } of steps) {
    const outcome = await run().then(
      (detail) => ({ stage, ok: true, detail }),
      (error: unknown) => {
        if (!(error instanceof UpstreamError)) throw error;
        return { stage: error.stage, ok: false, detail: error.message };
      },
    );
    yield outcome;
    if (!outcome.ok) return;
  }
}
