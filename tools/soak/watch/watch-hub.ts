import type { Database } from '@birdhub/shared/db';
import type { TestHub } from '@birdhub/testing/hub';
import type { Roots } from '../../bench/run/process-groups.js';
import { mean } from '../../bench/run/quantile.js';
import { askBroker } from './ask-broker.js';
import { type ProcessFigures, readProcesses } from './process-figures.js';
import { readHeap } from './read-heap.js';
import type { HubSpan, SpanProcess } from './span.js';
import { readOutbox, readTables } from './table-figures.js';

/** Measures the hub while it is loaded. */
export interface HubWatch {
  /** Takes a sample; to be called several times per span. */
  look(): Promise<void>;
  endSpan(): Promise<HubSpan>;
}

type Look = ReadonlyMap<string, ProcessFigures & { readonly heapBytes: number | undefined }>;

function summarize(looks: readonly SpanProcess[]): SpanProcess {
  const heaps = looks.flatMap(({ heapBytes }) => heapBytes ?? []);
  return {
    bytes: mean(looks.map(({ bytes }) => bytes)),
    sharedBytes: mean(looks.map(({ sharedBytes }) => sharedBytes)),
    openFiles: Math.max(...looks.map(({ openFiles }) => openFiles)),
    heapBytes: heaps.length ? Math.min(...heaps) : undefined,
  };
}

/** Watches a hub from outside: its processes, database and broker. */
export function watchHub(hub: TestHub, database: Database): HubWatch {
  const roots: Roots = new Map([
    ['launcher', hub.launcherPid],
    ...hub
      .processes()
      .flatMap(({ name, process }): [string, number][] => (process ? [[name, process.pid]] : [])),
  ]);
  // Only services have an ops port, not PostgreSQL and NATS.
  const readyUrls = new Map(
    hub.processes().flatMap(({ name, readyUrls: [url] }) => (url ? [[name, url] as const] : [])),
  );
  let looks: Look[] = [];

  async function look(): Promise<void> {
    const figures = await readProcesses(roots);
    const now = new Map<string, SpanProcess>();
    for (const [name, one] of figures) {
      const url = readyUrls.get(name);
      now.set(name, { ...one, heapBytes: url ? await readHeap(url) : undefined });
    }
    looks.push(now);
  }

  return {
    look,
    async endSpan() {
      const seen = looks;
      looks = [];
      const processes = [...roots.keys()].map(
        (name) => [name, summarize(seen.flatMap((one) => one.get(name) ?? []))] as const,
      );
      return {
        processes: Object.fromEntries(processes),
        tables: await readTables(database.pool),
        ...(await readOutbox(database.pool)),
        broker: await askBroker(hub.natsUrl),
      };
    },
  };
}
