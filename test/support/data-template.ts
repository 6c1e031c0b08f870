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

/** The folder of a template that all stages of `npm test` share; the first stage that needs it fills it. */
const sharedFolder = process.env['TEST_DATA_TEMPLATE'];

/** Each project of a run loads its own instance of this module, and all of them share one template. */
const shared = globalThis as { hubDataTemplate?: { readonly folder: Promise<string>; users: number } };
const undo: Step[] = [];

/** Provides a data folder with a migrated database, which every hub would otherwise create at its first start. */
export async function setup(project: TestProject): Promise<void> {
  undo.push(releaseTemplate);
  try {
    project.provide('dataTemplate', await acquireTemplate());
  } catch (error) {
    // vitest does not call `teardown` after a failed set-up.
    undo.length = 0;
    throw error;
  }
}

export async function teardown(): Promise<void> {
  await runAll(undo.splice(0));
}

/** Copies the files of the template to a folder. */
export async function copyTemplate(folder: string): Promise<void> {
  try {
    await copyFolder(await acquireTemplate(), folder);
  } finally {
    await releaseTemplate();
  }
}

/** Returns the folder of the template, which exists until all users have released it. */
function acquireTemplate(): Promise<string> {
  shared.hubDataTemplate ??= { folder: createTemplate(), users: 0 };
  shared.hubDataTemplate.users += 1;
  return shared.hubDataTemplate.folder;
}

async function releaseTemplate(): Promise<void> {
  const template = shared.hubDataTemplate;
  if (template === undefined) return;
  template.users -= 1;
  if (template.users > 0) return;
  delete shared.hubDataTemplate;
  if (sharedFolder === undefined) await rm(dirname(await template.folder), { recursive: true });
}

/** Copies a folder and keeps the owners of its files, as PostgreSQL starts only in a folder that it owns. */
export async function copyFolder(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o750 });
  await promisify(execFile)('cp', ['-a', `${from}/.`, to]);
}

async function createTemplate(): Promise<string> {
  const template = join(sharedFolder ?? (await mkdtemp(join(tmpdir(), 'birdhub-template-'))), 'data');
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
