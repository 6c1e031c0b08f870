import type { Log } from './log.js';
import { postgresStopSteps } from './postgres/leftovers.js';
import { isRunning } from './process-identity.js';
import { removeLeftSocketFolder } from './socket-folder.js';
import { readState } from './state-file.js';
import { stopProcess } from './stop-process.js';

/** Stops what a launcher that was killed has left running; its lock must be held or free. */
export async function stopLeftovers(stateFile: string, log: Log): Promise<void> {
  const processes = readState(stateFile)?.processes ?? [];
  const running = processes.flatMap(({ name, process }) =>
    process !== null && isRunning(process) ? [{ name, process }] : [],
  );
  const stop = async ({ name, process }: (typeof running)[number]) => {
    log.warn({ child: name, pid: process.pid }, 'stopping what an earlier launcher left running');
    const first = name === 'postgres' ? postgresStopSteps : [{ signal: 'SIGTERM', waitMs: 5000 } as const];
    await stopProcess(process, [...first, { signal: 'SIGKILL', waitMs: 2000 }]);
  };
  // The database goes last: what still runs may want to write.
  await Promise.all(running.filter(({ name }) => name !== 'postgres').map(stop));
  await Promise.all(running.filter(({ name }) => name === 'postgres').map(stop));
  for (const { socket } of processes) if (socket !== undefined) await removeLeftSocketFolder(socket);
}
