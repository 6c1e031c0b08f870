import type { Bus } from '@birdhub/shared/bus';
import type pg from 'pg';
import type { Logger } from 'pino';
import { addRestart, findWaitingRestart, type RestartCommand } from './restart-commands.store.js';
import type { RestartFlag } from './restart-flag.js';

/** Has the processor restart: the answers to its heartbeats tell it, an event, and a file. */
export interface ProcessorRestarts {
  /** Answers as soon as it is stored; whether and when the processor hears of it shows in the status. */
  request(): Promise<RestartCommand>;
  close(): Promise<void>;
}

/** What a restart is asked for with. */
export interface RestartParts {
  readonly pool: pg.Pool;
  readonly bus: Pick<Bus, 'sendCommand'>;
  readonly flag: RestartFlag;
  readonly log: Logger;
  /** Pause between two looks at whether the processor has done so. */
  readonly lookMs?: number;
}

/** The event is sent at every so many looks. */
const looksPerEvent = 5;

/** Goes on with a restart that waits from before, and then works only while one waits. */
export function openProcessorRestarts(parts: RestartParts): ProcessorRestarts {
  const { pool, bus, flag, log, lookMs = 2_000 } = parts;
  let unraised: number | undefined;
  let looks = 0;
  let isFailing = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let isClosed = false;

  /** Once: a processor that took the file away has heard it. */
  async function raiseFlag({ id }: RestartCommand): Promise<void> {
    if (unraised !== id) return;
    await flag.raise(id);
    unraised = undefined;
  }

  async function sendEvent({ id, requestedAt }: RestartCommand): Promise<void> {
    if (looks % looksPerEvent !== 0) return;
    const requested_at = new Date(requestedAt).toISOString();
    await bus.sendCommand('hub.cmd.v1.processor.restart', { command_id: id, requested_at });
  }

  async function look(): Promise<void> {
    let isWaiting = true;
    try {
      const waiting = await findWaitingRestart(pool);
      isWaiting = waiting !== undefined;
      await (waiting ? Promise.all([raiseFlag(waiting), sendEvent(waiting)]) : flag.lower());
      looks += 1;
      isFailing = false;
    } catch (error) {
      if (!isFailing) log.warn({ err: error }, 'processor not told to restart, trying on');
      isFailing = true;
    }
    if (isWaiting && !isClosed) timer = setTimeout(lookNext, lookMs);
  }

  function lookNext(): void {
    clearTimeout(timer);
    running = running.then(look);
  }

  lookNext();
  return {
    async request() {
      const { isNew, ...command } = await addRestart(pool);
      if (isNew) {
        log.info({ command_id: command.id }, 'processor asked to restart');
        unraised = command.id;
        looks = 0;
      }
      lookNext();
      return command;
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await running;
    },
  };
}
