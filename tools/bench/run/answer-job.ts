/** The other end of `runJob`: takes the job from the parent process, returns what came of it, ends with the parent. */
export function answerJob<Job, Result>(run: (job: Job) => Promise<Result>): void {
  process.once('disconnect', () => process.exit());
  process.once('message', async (job) => {
    try {
      process.send?.({ result: await run(job as Job) });
    } catch (error) {
      process.send?.({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    }
  });
}
