import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The file that asks a processor on the same disk to restart. */
export interface RestartFlag {
  /** Puts it there, whole or not at all. */
  raise(commandId: number): Promise<void>;
  /** Takes it away, if the processor has not. */
  lower(): Promise<void>;
}

const name = 'restart_processor.flag';

/** A flag in a folder, which is made when it is missing; without a folder there is none. */
export function createRestartFlag(folder: string | undefined): RestartFlag {
  if (folder === undefined) return { raise: async () => undefined, lower: async () => undefined };
  const file = join(folder, name);
  return {
    async raise(commandId) {
      const draft = join(folder, `.${name}.${randomUUID().slice(0, 8)}`);
      await mkdir(folder, { recursive: true });
      try {
        await writeFile(draft, `${commandId}\n`);
        await rename(draft, file);
      } finally {
        await rm(draft, { force: true });
      }
    },
    lower: () => rm(file, { force: true }),
  };
}
