import { allCases } from './cases/all-cases.js';
import { OptionError, readOptions, usage } from './options.js';
import { runBench } from './run-bench.js';

// Child processes are signalled when this process exits.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

try {
  const options = readOptions(
    process.argv.slice(2),
    allCases.map(({ name }) => name),
  );
  if (options.isList) for (const { name, about } of allCases) console.log(`${name.padEnd(14)} ${about}`);
  else await runBench(options);
} catch (error) {
  process.exitCode = 1;
  console.error(error instanceof OptionError ? `${error.message}\n\n${usage}` : error);
}
