import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
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

/**
 * The projects of vitest.config.ts that `npm test` runs, the quick ones first. Those in one group run at the same time:
 * browsers need one processor, and faults mostly wait.
 */
const stageGroups = [['unit'], ['web'], ['contract'], ['integration'], ['e2e'], ['pages', 'fault']];

/** Stages that share two cores with servers. A few of their files may fail for want of time, and run once more. */
const stagesWithServers = ['integration', 'e2e', 'pages', 'fault'];
const maxRepeatedFiles = 3;

/**
 * Runs vitest and returns its own report and exit code. Its usual output is shown as it comes, or, for one of several at the
 * same time, when it has ended.
 */
async function runVitest(args, isOneOfSeveral = false) {
  const folder = mkdtempSync(join(tmpdir(), 'birdhub-report-'));
  const file = join(folder, 'report.json');
  const outputFile = join(folder, 'output');
  const output = isOneOfSeveral ? openSync(outputFile, 'w') : 'inherit';
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const child = spawn(process.execPath, [vitest, 'run', ...reporters, ...args], {
    cwd: root,
    stdio: ['ignore', output, output],
  });
  const [status] = await once(child, 'close');
  if (isOneOfSeveral) {
    closeSync(output);
    process.stdout.write(readFileSync(outputFile));
  }
  const report = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { testResults: [] };
  rmSync(folder, { recursive: true });
  return { report, exitCode: status ?? 1 };
}

/** Runs stages at the same time. */
async function runGroup(group, args) {
  const runs = await Promise.all(group.map((stage) => runStage(stage, args, group.length > 1)));
  const results = [];
  // Repeated when nothing else runs any more.
  for (const run of runs) results.push(await repeatFailed(run));
  return results;
}

async function runStage(name, args, isOneOfSeveral) {
  const run = ['--project', name, '--passWithNoTests', ...args];
  return { name, ...(await timed(() => runVitest(run, isOneOfSeveral))), failedFirst: [] };
}

/** Returns the result of `work` with how long it took. */
async function timed(work) {
  const startedAt = performance.now();
  const result = await work();
  return { ...result, seconds: Math.round((performance.now() - startedAt) / 1_000) };
}

/** Failed files of a stage with servers run a second time, alone, and what failed first is named. */
async function repeatFailed(run) {
  const files = failedFiles(run.report);
  const isRepeated =
    stagesWithServers.includes(run.name) && files.length > 0 && files.length <= maxRepeatedFiles;
  if (!isRepeated) return run;
  const second = await runVitest(['--project', run.name, '--maxWorkers=1', ...files]);
  return {
    ...run,
    report: replaceFiles(run.report, second.report),
    exitCode: second.exitCode,
    failedFirst: failedTests(run.report),
  };
}

await orExit(() => setup({ log: console.log }));
provideBrowser(console.log);
provideUnpackedPrograms(console.log);
const args = process.argv.slice(2);
const isChosen = args.some((argument) => argument.startsWith('--project'));
const runs = [];
if (isChosen) runs.push({ name: 'tests', ...(await timed(() => runVitest(args))), failedFirst: [] });
else for (const group of stageGroups) runs.push(...(await runGroup(group, args)));
const results = runs.map(({ report, exitCode, ...run }) => ({
  ...run,
  failed: failedTests(report),
  counts: countTests(report, exitCode),
}));
for (const { name, seconds, failed, failedFirst, counts } of results) {
  for (const test of failedFirst) console.log(`${name}, failed at first: ${test}`);
  for (const test of failed) console.log(`${name}, failed: ${test}`);
  console.log(`${name}: ${seconds} s, ${describeCounts(counts)}`);
}
const counts = addCounts(results.map((result) => result.counts));
console.log(describeCounts(counts));
process.exitCode = isGreen(counts) ? 0 : 1;
