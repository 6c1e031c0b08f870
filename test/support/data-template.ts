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

const undo: Step[] = [];

/** Makes once what every hub would make at its first start: a PostgreSQL with a migrated database. */
export async function setup(project: TestProject): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'birdhub-template-'));
  undo.push(() => rm(folder, { recursive: true }));
  try {
    const log = createLog('test', () => undefined);
    const postgres = await startPostgres({ dataDir: join(folder, 'postgres'), log });
    await migrate(postgres.url, seedCatalogue).finally(() => postgres.stop());
    project.provide('dataTemplate', folder);
  } catch (error) {
    // vitest does not tear down what did not come up.
    await teardown();
    throw error;
  }
}

export async function teardown(): Promise<void> {
  await runAll(undo.splice(0));
}
