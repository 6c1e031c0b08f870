/** One thing to undo. */
export type Step = () => Promise<void> | void;

/** Runs the steps one after the other; each gets its turn though one before it failed. @throws the first failure */
export async function runAll(steps: readonly Step[]): Promise<void> {
  const failures: unknown[] = [];
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
