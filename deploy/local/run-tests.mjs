import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { provideBrowser } from './bootstrap/browser.mjs';
import { root } from './bootstrap/paths.mjs';
import { orExit } from './bootstrap/setup-error.mjs';
import { countTests, describeCounts, isGreen } from './bootstrap/test-counts.mjs';
import { provideUnpackedPrograms } from './bootstrap/unpacked-programs.mjs';
import { setup } from './setup.mjs';

const nothingRan = {
  numPassedTests: 0,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  testResults: [],
};

/** Runs vitest with its usual output and returns its own report and exit code. */
function runVitest(args, folder) {
  const file = join(folder, 'report.json');
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
const folder = mkdtempSync(join(tmpdir(), 'birdhub-report-'));
const { report, exitCode } = runVitest(process.argv.slice(2), folder);
rmSync(folder, { recursive: true });
const counts = countTests(report, exitCode);
console.log(describeCounts(counts));
process.exitCode = isGreen(counts) ? 0 : 1;
