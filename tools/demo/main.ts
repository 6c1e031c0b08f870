import { runDemo } from './demo.js';
import { explainFailure } from './explain-failure.js';
import { readOptions, usage } from './options.js';

const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => stop.abort());

let hub: string | undefined;
try {
  const options = readOptions(process.argv.slice(2), process.env);
  hub = options?.hub;
  if (options === undefined) console.log(usage);
  else await runDemo(options, { now: Date.now, say: console.log, signal: stop.signal });
} catch (error) {
  process.exitCode = 1;
  if (stop.signal.aborted) console.log('Stopped. Run the same command to continue.');
  else console.error(explainFailure(error, hub) ?? error);
}
