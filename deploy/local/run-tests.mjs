import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { provideBrowser } from './bootstrap/browser.mjs';
import { root } from './bootstrap/paths.mjs';
import { orExit } from './bootstrap/setup-error.mjs';
import { addCounts, countTests, describeCounts, isGreen } from './bootstrap/test-counts.mjs';
import { provideUnpackedPrograms } from './bootstrap/unpacked-programs.mjs';
import { setup } from './setup.mjs';

/** The projects of vitest.config.ts that `npm test` runs, one after the other; the quick ones first. */
const stages = ['unit', 'web', 'contract', 'integration', 'e2e', 'pages', 'fault'];

const nothingRan = {
  numPassedTests: 0,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  testResults: [],
};

/** Runs vitest with its usual output and returns its own report and exit code. */
function runVitest(args, file) {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const { status } = spawnSync(process.execPath, [vitest, 'run', ...reporters, ...args], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return {
    report: existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : nothingRan,
    exitCode: status ?? 1,
  };
}

await orExit(() => setup({ log: console.log }));
provideBrowser(console.log);
provideUnpackedPrograms(console.log);
const args = process.argv.slice(2);
const isChosen = args.some((argument) => argument.startsWith('--project'));
const runs = isChosen ? [args] : stages.map((stage) => ['--project', stage, '--passWithNoTests', ...args]);
const folder = mkdtempSync(join(tmpdir(), 'birdhub-report-'));
const results = runs.map((run, index) => {
  const startedAt = performance.now();
  const { report, exitCode } = runVitest(run, join(folder, `${index}.json`));
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  return { name: isChosen ? 'tests' : stages[index], seconds, counts: countTests(report, exitCode) };
});
rmSync(folder, { recursive: true });
for (const { name, seconds, counts } of results)
  console.log(`${name}: ${seconds} s, ${describeCounts(counts)}`);
const counts = addCounts(results.map((result) => result.counts));
console.log(describeCounts(counts));
process.exitCode = isGreen(counts) ? 0 : 1;
