import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { seedCatalogue } from '@birdhub/domain/species';
import { runAll, type Step } from '@birdhub/launcher/lifecycle';
import { createLog } from '@birdhub/launcher/log';
import { startPostgres } from '@birdhub/launcher/postgres-server';
import { migrate } from '@birdhub/shared/db';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** A data folder with a migrated database, stopped; `copyDataTemplate` copies it. */
    dataTemplate: string;
  }
}

/** The folder of a template that all stages of `npm test` share: the first that needs it fills it. */
const kept = process.env['TEST_DATA_TEMPLATE'];

/** Projects of a run load this module each for itself, and share one template. */
const shared = globalThis as { hubDataTemplate?: { readonly made: Promise<string>; users: number } };
const undo: Step[] = [];

/** Provides what every hub would make at its first start: a PostgreSQL with a migrated database. */
export async function setup(project: TestProject): Promise<void> {
  undo.push(releaseTemplate);
  try {
    project.provide('dataTemplate', await takeTemplate());
  } catch (error) {
    // vitest does not tear down what did not come up.
    undo.length = 0;
    throw error;
  }
}

export async function teardown(): Promise<void> {
  await runAll(undo.splice(0));
}

/** Gives a folder that exists the files of the template. */
export async function copyTemplate(folder: string): Promise<void> {
  try {
    await copyFolder(await takeTemplate(), folder);
  } finally {
    await releaseTemplate();
  }
}

/** Returns the folder of the template, which stays until it has been released as often as taken. */
function takeTemplate(): Promise<string> {
  shared.hubDataTemplate ??= { made: makeTemplate(), users: 0 };
  shared.hubDataTemplate.users += 1;
  return shared.hubDataTemplate.made;
}

async function releaseTemplate(): Promise<void> {
  const template = shared.hubDataTemplate;
  if (template === undefined) return;
  template.users -= 1;
  if (template.users > 0) return;
  delete shared.hubDataTemplate;
  if (kept === undefined) await rm(dirname(await template.made), { recursive: true });
}

/** Copies a folder with its owners: PostgreSQL starts in no folder but its own. */
export async function copyFolder(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o750 });
  await promisify(execFile)('cp', ['-a', `${from}/.`, to]);
}

async function makeTemplate(): Promise<string> {
  const template = join(kept ?? (await mkdtemp(join(tmpdir(), 'birdhub-template-'))), 'data');
  if (existsSync(template)) return template;
  const folder = await mkdtemp(join(tmpdir(), 'birdhub-new-template-'));
  try {
    const log = createLog('test', () => undefined);
    const postgres = await startPostgres({ dataDir: join(folder, 'postgres'), log });
    await migrate(postgres.url, seedCatalogue).finally(() => postgres.stop());
    await copyFolder(folder, `${template}.new`);
    await rename(`${template}.new`, template);
    return template;
  } finally {
    await rm(folder, { recursive: true });
  }
}
