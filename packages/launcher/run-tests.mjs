import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { orExit, root } from './bootstrap/command.mjs';
import {
  addCounts,
  countTests,
  describeCounts,
  failedFiles,
  failedTests,
  isGreen,
  replaceFiles,
} from './bootstrap/test-counts.mjs';
import { provideBrowser, provideUnpackedPrograms } from './bootstrap/test-programs.mjs';
import { setup } from './setup.mjs';

/** The stages of `npm test`, projects in vitest.config.ts; run sequentially, fast ones first. */
const stages = ['unit', 'web', 'contract', 'integration', 'e2e', 'pages'];

/** Stages that share the CPU with servers. Files of these stages that fail, for example by a timeout, are repeated once. */
const stagesWithServers = ['integration', 'e2e', 'pages'];
const maxRepeatedFiles = 6;

/** The first stage that needs a migrated database makes it for all, in this folder. */
const templateFolder = mkdtempSync(join(tmpdir(), 'birdhub-template-'));
process.once('exit', () => rmSync(templateFolder, { recursive: true, force: true }));

/** Runs vitest with its default output; returns its JSON report and exit code. */
function runVitest(args) {
  const folder = mkdtempSync(join(tmpdir(), 'birdhub-report-'));
  const file = join(folder, 'report.json');
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const { status } = spawnSync(process.execPath, [vitest, 'run', ...reporters, ...args], {
    cwd: root,
    env: { ...process.env, TEST_DATA_TEMPLATE: templateFolder },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const report = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { testResults: [] };
  rmSync(folder, { recursive: true });
  return { report, exitCode: status ?? 1 };
}

/** Runs a stage. Failed files of a stage with servers are repeated sequentially; their first failures are reported. */
function runStage(stage, args) {
  const run = ['--project', stage, '--passWithNoTests'];
  const first = runVitest([...run, ...args]);
  const files = failedFiles(first.report);
  const isRepeated =
    stagesWithServers.includes(stage) && files.length > 0 && files.length <= maxRepeatedFiles;
  if (!isRepeated) return { ...first, failedFirst: [] };
  const second = runVitest([...run, '--maxWorkers=1', ...files]);
  return {
    report: replaceFiles(first.report, second.report),
    exitCode: second.exitCode,
    failedFirst: failedTests(first.report),
  };
}

await orExit(() => setup({ log: console.log }));
provideBrowser(console.log);
provideUnpackedPrograms(console.log);
const args = process.argv.slice(2);
const hasProject = args.some((argument) => argument.startsWith('--project'));
const results = (hasProject ? ['tests'] : stages).map((name) => {
  const startedAt = performance.now();
  const { report, exitCode, failedFirst = [] } = hasProject ? runVitest(args) : runStage(name, args);
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  return { name, seconds, failed: failedTests(report), failedFirst, counts: countTests(report, exitCode) };
});
for (const { name, seconds, failed, failedFirst, counts } of results) {
  for (const test of failedFirst) console.log(`${name}, failed in the first run: ${test}`);
  for (const test of failed) console.log(`${name}, failed: ${test}`);
  console.log(`${name}: ${seconds} s, ${describeCounts(counts)}`);
}
const counts = addCounts(results.map((result) => result.counts));
console.log(describeCounts(counts));
process.exitCode = isGreen(counts) ? 0 : 1;
