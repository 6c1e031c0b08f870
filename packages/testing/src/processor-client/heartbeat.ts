import type { ActivityAnswer, ActivityBody, ProcessorCommand } from './processor-wire.js';

/** Sends one heartbeat with the facts given and returns the commands not seen before. */
export type Heartbeat = (facts?: Record<string, unknown>) => Promise<ProcessorCommand[]>;

/**
 * Heartbeats of one processor's life: one row id from the first answer on, `started_at`, and each command named
 * in `acked_commands` of the next heartbeat and of every one after it until the hub stops repeating it.
 */
export function createHeartbeat(
  post: (body: ActivityBody) => Promise<ActivityAnswer>,
  startedAt: Date,
): Heartbeat {
  const known = new Set<number>();
  let rowId: number | undefined;
  let pending: number[] = [];

  const beat: Heartbeat = async (facts = {}) => {
    const data = { ...facts, started_at: startedAt.toISOString(), acked_commands: pending };
    const response = await post({ type: 'heartbeat', data, ...(rowId === undefined ? {} : { id: rowId }) });
    rowId = response.id;
    const commands = response.commands ?? [];
    const fresh = commands.filter((command) => !known.has(command.id));
    pending = commands.map((command) => command.id);
    for (const command of fresh) known.add(command.id);
    return fresh;
  };

  return oneAfterTheOther(beat);
}

/** Two concurrent heartbeats before the first response would create two rows. */
function oneAfterTheOther(beat: Heartbeat): Heartbeat {
  let last: Promise<unknown> = Promise.resolve();
  return (facts) => {
    const turn = last.then(
      () => beat(facts),
      () => beat(facts),
    );
    last = turn;
    return turn;
  };
}
