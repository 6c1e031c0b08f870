import { ChildService } from './child-service.js';
import type { Log } from './log.js';
import type { Program, ProgramGroups } from './programs.js';
import type { Step } from './run-all.js';
import type { StateFile } from './state-file.js';
import type { StopStep } from './stop-process.js';
import { answersOk, waitReady } from './wait-ready.js';

/** How many crashes before the first readiness mean that a service will not come up. */
const hopelessAfter = 3;

// A service ends by itself within eight seconds; the whole hub shall be down within ten.
const patienceMs = [5000, 3000] as const;

/** Where a line that a service wrote goes. */
export type WriteLine = (line: string) => void;

/** Starts all programs at once; each notes its stop in `undo`, the last group's programs first. */
export async function startServices(
  groups: ProgramGroups,
  state: StateFile,
  undo: Step[],
  { log, writeLine }: { log: Log; writeLine: WriteLine },
): Promise<Map<Program, ChildService>> {
  const children = new Map<Program, ChildService>();
  const supervised = groups.map((programs, index) =>
    programs.map((program) => {
      const waitMs = patienceMs[index] ?? 3000;
      const child = superviseProgram(program, [{ signal: 'SIGTERM', waitMs }], state, log, writeLine);
      children.set(program, child);
      return child;
    }),
  );
  for (const group of [...supervised].reverse()) {
    undo.unshift(async () => void (await Promise.all(group.map((child) => child.stop()))));
  }
  await Promise.all(supervised.flat().map((child) => child.start()));
  return children;
}

/** Waits until all services say that they are ready. @throws LauncherError with a service's last words when it keeps crashing */
export async function waitForServices(
  children: Map<Program, ChildService>,
  signal?: AbortSignal,
): Promise<void> {
  const waits = [...children].map(([program, child]) =>
    waitReady({
      what: `The service ${program.name}`,
      isReady: async () => (await Promise.all(program.readyUrls.map(answersOk))).every(Boolean),
      timeoutMs: 60_000,
      findFailure: () => (child.crashesInRow >= hopelessAfter ? lastWords(child) : undefined),
      signal,
    }),
  );
  await Promise.all(waits);
}

/** What is said at every start is told once. */
function lastWords({ lastLines }: ChildService): string {
  return [...new Set(lastLines)].join('\n');
}

function superviseProgram(
  { name, file, env, port, readyUrls }: Program,
  stopSteps: readonly StopStep[],
  state: StateFile,
  log: Log,
  onLine: WriteLine,
): ChildService {
  const child: ChildService = new ChildService({
    name,
    command: process.execPath,
    args: [file],
    env,
    hasChannel: true,
    stopSteps,
    log,
    onLine,
    onChange: () => state.note({ name, port, readyUrls }, child.pid),
  });
  return child;
}
