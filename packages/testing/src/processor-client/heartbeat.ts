import type { ActivityBody, ActivityResponse, ProcessorCommand } from './processor-wire.js';

/** Sends a heartbeat with these facts and returns the commands that were not received before. */
export type Heartbeat = (facts?: Record<string, unknown>) => Promise<ProcessorCommand[]>;

/**
 * Creates the heartbeats of one run of a processor. All of them update the row of the first one and contain
 * `started_at`. `acked_commands` lists the commands of the last response, until the hub no longer repeats them.
 */
export function createHeartbeat(
  post: (body: ActivityBody) => Promise<ActivityResponse>,
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

  return serialise(beat);
}

/** Concurrent heartbeats before the first response would create several rows. */
function serialise(beat: Heartbeat): Heartbeat {
  let last: Promise<unknown> = Promise.resolve();
  return (facts) => {
    const next = last.then(
      () => beat(facts),
      () => beat(facts),
    );
    last = next;
    return next;
  };
}
