// `npm run trace`: prints which of our own files run for a posted recording, a timeline read and a changed setting.
import { setTimeout as sleep } from 'node:timers/promises';
import { type CalledFunction, filesOf } from './called-functions.js';
import { type TracedRequest, tracedRequests } from './requests.js';
import { type CallsByService, startTracedHub, type TracedHub } from './traced-hub.js';

/** Functions must run in each repetition, as background work sometimes runs before a response. */
const repetitions = 8;
/** Length of the idle period; background loops run at least every ten seconds. */
const idleMs = 12_000;
/** Time for the work that follows a request: events, notifications, pictures. */
const settleMs = 2_000;

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());

interface Trace {
  readonly until: CallsByService;
  readonly after: CallsByService;
}

async function traceOnce(hub: TracedHub, request: TracedRequest, number: number): Promise<Trace> {
  await hub.takeCalls();
  await request.send(hub.baseUrl, number);
  const until = await hub.takeCalls();
  await sleep(settleMs, undefined, { signal: stopping.signal });
  return { until, after: await hub.takeCalls() };
}

function filesByService(calls: readonly CallsByService[], idle: CallsByService): [string, string[]][] {
  const callsOf = (one: CallsByService, service: string): readonly CalledFunction[] => one.get(service) ?? [];
  return [...idle.keys()].map((service) => [
    service,
    filesOf(
      calls.map((one) => callsOf(one, service)),
      callsOf(idle, service),
    ),
  ]);
}

const countDistinct = (files: readonly [string, string[]][]) =>
  new Set(files.flatMap(([, names]) => names)).size;

/** Returns whether the service that handles the request stays within its number of files. */
function print(
  { name, service, maxFiles }: TracedRequest,
  traces: readonly Trace[],
  idle: CallsByService,
): boolean {
  const files = filesByService(
    traces.map(({ until }) => until),
    idle,
  ).filter(([, names]) => names.length > 0);
  const later = filesByService(
    traces.map(({ after }) => after),
    idle,
  ).filter(([, names]) => names.length > 0);
  const own = files.find(([one]) => one === service)?.[1].length ?? 0;
  const toCounts = (list: typeof files) =>
    list.map(([one, { length }]) => `${one} ${length}`).join(', ') || 'none';
  console.log(`\n${name}: ${own} files in ${service} (at most ${maxFiles})`);
  console.log(`  until the response: ${countDistinct(files)} files (${toCounts(files)})`);
  console.log(`  in the ${settleMs / 1000} s after it: ${countDistinct(later)} files (${toCounts(later)})`);
  for (const [one, names] of files) console.log(`  ${one}\n${names.map((file) => `    ${file}`).join('\n')}`);
  return own <= maxFiles;
}

const hub = await startTracedHub(stopping.signal);
try {
  // The first request of a kind also loads modules and prepares statements.
  for (const request of tracedRequests) await request.send(hub.baseUrl, 0);
  await sleep(settleMs, undefined, { signal: stopping.signal });
  await hub.takeCalls();
  await sleep(idleMs, undefined, { signal: stopping.signal });
  const idle = await hub.takeCalls();
  for (const request of tracedRequests) {
    const traces: Trace[] = [];
    for (let number = 1; number <= repetitions; number += 1)
      traces.push(await traceOnce(hub, request, number));
    if (!print(request, traces, idle)) process.exitCode = 1;
  }
} finally {
  await hub.stop();
}
