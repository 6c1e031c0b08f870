import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createLoop } from '@birdhub/shared/async';
import type { Bus } from '@birdhub/shared/bus';
import { type Database, keyOf, lockNames, type Row } from '@birdhub/shared/db';
import type { Clock } from '@birdhub/shared/time';
import type pg from 'pg';
import type { Logger } from 'pino';

/** Requests restarts of the processor by responses to its heartbeats, by a command and by a file. */
export interface ProcessorRestarts {
  /** Resolves when the request is stored; the status shows whether the processor has restarted. */
  request(): Promise<RestartCommand>;
  close(): Promise<void>;
}

/** Dependencies of processor restarts. */
export interface RestartDeps extends Pick<Database, 'pool' | 'transaction'> {
  readonly clock: Clock;
  readonly bus: Pick<Bus, 'sendCommand'>;
  readonly flag: RestartFlag;
  readonly log: Logger;
  /** Interval of the check whether the processor has restarted. */
  readonly pollIntervalMs?: number;
}

/** A requested restart. */
export type RestartCommand = Pick<Row<'ProcessorCommand'>, 'id' | 'createdAt'>;

/** A file that requests a restart of a processor on the same disk. */
export interface RestartFlag {
  /** Writes the file atomically. */
  raise(commandId: number): Promise<void>;
  /** Deletes the file if there is one. */
  lower(): Promise<void>;
}

/** The command is sent with every fifth check. */
const checksPerCommand = 5;
const expiryMs = 600_000;
const flagName = 'restart_processor.flag';

const pendingSql = `
  SELECT id, created_at AS "createdAt" FROM processor_command
  WHERE type = 'restart' AND acked_at IS NULL AND expires_at > now() ORDER BY id LIMIT 1`;

const beginWithLock = `BEGIN; SELECT pg_advisory_xact_lock(${keyOf(lockNames.restart)})`;

/** Starts with a pending restart of an earlier process, if any; checks only run while one is pending. */
export function startProcessorRestarts(deps: RestartDeps): ProcessorRestarts {
  const { pool, clock, bus, flag, log, pollIntervalMs = 2_000 } = deps;
  let unflaggedId: number | undefined;
  let isStarting = true;
  let checks = 0;

  /** Writes the file once per restart, as the processor deletes it after reading. */
  async function raiseFlag({ id }: RestartCommand): Promise<void> {
    if (unflaggedId !== id) return;
    await flag.raise(id);
    unflaggedId = undefined;
  }

  async function sendCommand({ id, createdAt }: RestartCommand): Promise<void> {
    if (checks % checksPerCommand !== 0) return;
    const payload = { command_id: id, requested_at: createdAt.toISOString() };
    await bus.sendCommand('hub.cmd.v1.processor.restart', payload);
  }

  const loop = createLoop({
    everyMs: pollIntervalMs,
    async work() {
      const pending = await findPendingRestart(pool);
      // An earlier process may have ended before it wrote the file.
      if (isStarting) unflaggedId ??= pending?.id;
      isStarting = false;
      await (pending ? Promise.all([raiseFlag(pending), sendCommand(pending)]) : flag.lower());
      checks += 1;
      return pending ? pollIntervalMs : Number.POSITIVE_INFINITY;
    },
    onError(error, failures) {
      if (failures === 1) log.warn({ err: error }, 'processor restart not sent, retrying');
    },
  });
  loop.start();
  return {
    async request() {
      const { isNew, ...command } = await addRestart(deps, clock.now());
      if (isNew) {
        log.info({ command_id: command.id }, 'processor restart requested');
        unflaggedId = command.id;
        checks = 0;
      }
      loop.wake();
      return command;
    },
    close: () => loop.stop(),
  };
}

/**
 * Returns the pending restart; undefined when it was acknowledged or has expired. Plain SQL, as it runs at each start.
 */
async function findPendingRestart(client: Pick<pg.ClientBase, 'query'>): Promise<RestartCommand | undefined> {
  const { rows } = await client.query<RestartCommand>(pendingSql);
  return rows[0];
}

/** Adds a restart, or returns the pending one, so that the processor does not restart twice. */
function addRestart(
  { transaction }: Pick<Database, 'transaction'>,
  now: number,
): Promise<RestartCommand & { readonly isNew: boolean }> {
  return transaction(async ({ client, prisma }) => {
    const pending = await findPendingRestart(client);
    if (pending) return { ...pending, isNew: false };
    const data = { type: 'restart', createdAt: new Date(now), expiresAt: new Date(now + expiryMs) };
    return { ...(await prisma.processorCommand.create({ data })), isNew: true };
  }, beginWithLock);
}

/** Creates a flag in a folder, which is created if necessary. Without a folder it does nothing. */
export function createRestartFlag(folder: string | undefined): RestartFlag {
  if (folder === undefined) return { raise: async () => undefined, lower: async () => undefined };
  const file = join(folder, flagName);
  return {
    async raise(commandId) {
      const draft = join(folder, `.${flagName}.${randomUUID().slice(0, 8)}`);
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
