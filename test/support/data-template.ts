import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

/** Projects of a run load this module each for itself, and share one template. */
const shared = globalThis as { hubDataTemplate?: { readonly made: Promise<string>; users: number } };
const undo: Step[] = [];

/** Makes once what every hub would make at its first start: a PostgreSQL with a migrated database. */
export async function setup(project: TestProject): Promise<void> {
  shared.hubDataTemplate ??= { made: makeTemplate(), users: 0 };
  const template = shared.hubDataTemplate;
  template.users += 1;
  undo.push(async () => {
    template.users -= 1;
    if (template.users > 0) return;
    delete shared.hubDataTemplate;
    await rm(await template.made, { recursive: true });
  });
  try {
    project.provide('dataTemplate', await template.made);
  } catch (error) {
    // vitest does not tear down what did not come up.
    undo.length = 0;
    throw error;
  }
}

export async function teardown(): Promise<void> {
  await runAll(undo.splice(0));
}

async function makeTemplate(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'birdhub-template-'));
  try {
    const log = createLog('test', () => undefined);
    const postgres = await startPostgres({ dataDir: join(folder, 'postgres'), log });
    await migrate(postgres.url, seedCatalogue).finally(() => postgres.stop());
    return folder;
  } catch (error) {
    await rm(folder, { recursive: true });
    throw error;
  }
}
