/** A reason not to go on that its message tells whole; it needs no stack. */
export class SetupError extends Error {}

/** Runs `work` and ends the process with 1 and one sentence when a SetupError comes out of it. */
export async function orExit(work) {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}
