import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.js';
import { diskFolderVariable, makeMemoryFolder } from './test/support/memory-folder.js';
import { contractFacts } from './web/build/contract-facts.js';

const resolve = { conditions: ['hub:source', 'node'] };
const ssr = { resolve };
const globalSetup = ['test/support/global-setup.ts'];
/** For tests that start whole hubs. */
const dataTemplate = 'test/support/data-template.ts';
const setupFiles = ['test/support/setup.ts'];
const everywhere = ['packages', 'services', 'web/src', 'tools', 'test', 'scripts'];
const files = (suffix: string) => everywhere.map((folder) => `${folder}/**/*${suffix}`);
const ignored = ['**/node_modules/**', '**/dist/**'];
const integration = files('.int.test.ts');
const contract = ['test/contract/**/*.test.ts'];
const e2e = files('.e2e.test.ts');
/**
 * Tests of pages share filled hubs, which take longer to fill than most of them to run. The one left out starts hubs of
 * its own and mostly waits for them, like those of whole hubs.
 */
const pages = ['test/web/!(sources).e2e.test.ts'];
const fault = files('.fault.test.ts');
/** Programs for developers: tested by `npm run test:tools`, apart from the product. */
const tools = ['tools/**/*.test.ts'];

/** Code of tests runs a few times only: to optimise it as early as that of servers takes 6 % of the processor's time. */
const execArgv = ['--interrupt-budget=1000000'];

/** What is waited for: other processes, on two cores that all of them share. */
const waiting = {
  testTimeout: 180_000,
  hookTimeout: 400_000,
  expect: { poll: { timeout: 60_000 } },
  // Spies of one test are none of the next file, which may run in the same process.
  restoreMocks: true,
};

// Workers inherit it.
process.env[diskFolderVariable] = tmpdir();
const memoryFolder = makeMemoryFolder();
if (memoryFolder !== undefined) process.env['TMPDIR'] = memoryFolder;

export default defineConfig({
  test: {
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        resolve,
        ssr,
        plugins: [contractFacts()],
        test: {
          name: 'unit',
          setupFiles,
          // Unit tests have no state of their own in modules, so that a worker loads each module once.
          isolate: false,
          pool: 'threads',
          // Property tests and the derivation of keys take seconds on small boards.
          testTimeout: 30_000,
          include: files('.test.ts'),
          exclude: [...ignored, ...integration, ...contract, ...e2e, ...fault, ...tools],
        },
      },
      {
        plugins: [contractFacts()],
        resolve: { alias: { 'virtual:cities': join(import.meta.dirname, 'web/src/testing/few-cities.ts') } },
        test: {
          name: 'web',
          // Loading the modules of the UI takes most of the processor's time. No test replaces a module: the next file would
          // get the replacement.
          isolate: false,
          setupFiles: [...setupFiles, 'web/src/testing/setup.ts'],
          environment: 'happy-dom',
          // Read when the modules are loaded.
          environmentOptions: { happyDOM: { url: 'https://birds.example/' } },
          include: ['web/src/**/*.test.tsx'],
          testTimeout: 90_000,
          restoreMocks: true,
        },
      },
      {
        resolve,
        ssr,
        test: {
          ...waiting,
          name: 'integration',
          setupFiles,
          execArgv,
          // A worker loads each module once: half of the processor's time otherwise goes into loading them again.
          isolate: false,
          // Tests wait for servers most of the time.
          maxWorkers: 4,
          sequence: { groupOrder: 1 },
          include: integration,
          exclude: [...ignored, ...tools],
          globalSetup,
        },
      },
      {
        resolve,
        ssr,
        test: {
          ...waiting,
          name: 'contract',
          setupFiles,
          execArgv,
          isolate: false,
          include: contract,
          exclude: ignored,
          globalSetup,
        },
      },
      {
        resolve,
        ssr,
        test: {
          ...waiting,
          name: 'e2e',
          setupFiles,
          execArgv,
          isolate: false,
          // Tests of whole hubs run beside those of faults, which mostly wait for failures and recoveries.
          maxWorkers: 5,
          sequence: { groupOrder: 2 },
          include: [...e2e, ...fault],
          exclude: [...ignored, ...pages],
          globalSetup: [...globalSetup, dataTemplate],
        },
      },
      {
        resolve,
        ssr,
        test: {
          ...waiting,
          name: 'pages',
          setupFiles,
          execArgv,
          isolate: false,
          maxWorkers: 2,
          sequence: { groupOrder: 3 },
          include: pages,
          exclude: ignored,
          globalSetup: ['test/support/filled-hub.ts', dataTemplate],
        },
      },
      {
        resolve,
        ssr,
        test: {
          ...waiting,
          name: 'tools',
          setupFiles,
          include: tools,
          exclude: ignored,
          globalSetup,
        },
      },
    ],
  },
});
