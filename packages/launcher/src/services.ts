import { ChildService } from './child-service.js';
import type { Step } from './lifecycle.js';
import { respondsOk, startTimeoutMs, waitReady } from './lifecycle.js';
import type { Log } from './log.js';
import type { StopStep } from './processes.js';
import type { Program, ProgramGroups } from './programs.js';
import type { ServiceAddresses } from './service-addresses.js';
import type { StateFile } from './state-file.js';

/** The start fails after this many crashes of a service that was never ready. */
const maxStartCrashes = 3;

// A service stops within eight seconds; the entire hub must stop within ten.
const stopTimeoutsMs = [5000, 3000] as const;

/** Receives each line of output of a service. */
export type WriteLine = (line: string) => void;

/** Dependencies of the supervision of programs. */
export interface ServicesDeps {
  readonly state: StateFile;
  readonly addresses: ServiceAddresses;
  readonly log: Log;
  readonly writeLine: WriteLine;
}

/** Starts all programs concurrently. Adds their stops to `undo`, in the order of the groups. */
export async function startServices(
  groups: ProgramGroups,
  undo: Step[],
  deps: ServicesDeps,
): Promise<Map<Program, ChildService>> {
  const children = new Map<Program, ChildService>();
  const supervised = groups.map((programs, index) =>
    programs.map((program) => {
      const waitMs = stopTimeoutsMs[index] ?? 3000;
      const child = superviseProgram(program, [{ signal: 'SIGTERM', waitMs }], deps);
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

/** Waits until all services are ready. @throws LauncherError with the last output of a service that keeps crashing */
export async function waitForServices(
  children: Map<Program, ChildService>,
  addresses: ServiceAddresses,
  signal?: AbortSignal,
): Promise<void> {
  const waits = [...children].map(([program, child]) =>
    waitReady({
      what: `The service ${program.name}`,
      isReady: () => areReady(addresses.readyUrls(program.services)),
      timeoutMs: startTimeoutMs,
      findFailure: () => (child.crashesInRow >= maxStartCrashes ? lastOutput(child) : undefined),
      signal,
    }),
  );
  await Promise.all(waits);
}

async function areReady(urls: readonly string[] | undefined): Promise<boolean> {
  return urls !== undefined && (await Promise.all(urls.map(respondsOk))).every(Boolean);
}

/** Returns the last lines of a child without duplicates, as each start may print the same error. */
function lastOutput({ lastLines }: ChildService): string {
  return [...new Set(lastLines)].join('\n');
}

function superviseProgram(
  { name, file, env, services }: Program,
  stopSteps: readonly StopStep[],
  { state, addresses, log, writeLine }: ServicesDeps,
): ChildService {
  const noteState = () => {
    const [first] = services;
    const listens =
      services.includes('gateway') || first === undefined || first === 'gateway'
        ? { port: addresses.gatewayPort }
        : { socket: addresses.socketOf(first) };
    state.note({ name, ...listens, readyUrls: addresses.readyUrls(services) ?? [] }, child.pid);
  };
  const child: ChildService = new ChildService({
    name,
    command: process.execPath,
    args: [file],
    env,
    hasChannel: true,
    stopSteps,
    log,
    onLine: writeLine,
    onChange: () => {
      addresses.forget(services);
      noteState();
    },
    onMessage: (message) => {
      addresses.note(message);
      noteState();
    },
  });
  return child;
}
