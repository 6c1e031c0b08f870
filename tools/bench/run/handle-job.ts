/** Handles the job of `runJob` in the child process: runs it, sends its result, and exits with the parent. */
export function handleJob<Job, Result>(run: (job: Job) => Promise<Result>): void {
  process.once('disconnect', () => process.exit());
  process.once('message', async (job) => {
    try {
      process.send?.({ result: await run(job as Job) });
    } catch (error) {
      process.send?.({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    }
  });
}
