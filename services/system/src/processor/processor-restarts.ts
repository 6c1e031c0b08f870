import { createLoop } from '@birdhub/shared/async';
import type { Bus } from '@birdhub/shared/bus';
import type { Database } from '@birdhub/shared/db';
import type { Clock } from '@birdhub/shared/time';
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
export interface RestartParts extends Pick<Database, 'pool' | 'transaction'> {
  readonly clock: Clock;
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
  const { pool, clock, bus, flag, log, lookMs = 2_000 } = parts;
  let unraised: number | undefined;
  let looks = 0;

  /** Once: a processor that took the file away has heard it. */
  async function raiseFlag({ id }: RestartCommand): Promise<void> {
    if (unraised !== id) return;
    await flag.raise(id);
    unraised = undefined;
  }

  async function sendEvent({ id, createdAt }: RestartCommand): Promise<void> {
    if (looks % looksPerEvent !== 0) return;
    const event = { command_id: id, requested_at: createdAt.toISOString() };
    await bus.sendCommand('hub.cmd.v1.processor.restart', event);
  }

  const loop = createLoop({
    everyMs: lookMs,
    async work() {
      const waiting = await findWaitingRestart(pool);
      await (waiting ? Promise.all([raiseFlag(waiting), sendEvent(waiting)]) : flag.lower());
      looks += 1;
      return waiting ? lookMs : Number.POSITIVE_INFINITY;
    },
    onError(error, failures) {
      if (failures === 1) log.warn({ err: error }, 'processor not told to restart, trying on');
    },
  });
  loop.start();
  return {
    async request() {
      const { isNew, ...command } = await addRestart(parts, clock.now());
      if (isNew) {
        log.info({ command_id: command.id }, 'processor asked to restart');
        unraised = command.id;
        looks = 0;
      }
      loop.wake();
      return command;
    },
    close: () => loop.stop(),
  };
}
