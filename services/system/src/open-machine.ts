import { join } from 'node:path';
import type { SettingsReader } from '@birdhub/domain/settings';
import type { Bus } from '@birdhub/shared/bus';
import type { Database } from '@birdhub/shared/db';
import type { Clock } from '@birdhub/shared/time';
import type { Logger } from 'pino';
import { startPruning } from './activity/prune-activity.js';
import { type Feeder, openFeeder } from './feeder/feeder.js';
import { type HostMetrics, openHostMetrics } from './host-metrics/host-sampler.js';
import { createHubMetrics, type HubMetrics } from './hub-metrics/hub-metrics.js';
import type { MqttLink } from './mqtt/mqtt-link.js';
import { openProcessorRestarts, type ProcessorRestarts } from './processor/processor-restarts.js';
import { createRestartFlag } from './processor/restart-flag.js';

/** The machine that the hub runs on and what stands beside it: its metrics, the feeder, the processor. */
export interface Machine {
  readonly host: HostMetrics;
  readonly hubMetrics: HubMetrics;
  readonly feeder: Feeder;
  readonly restarts: ProcessorRestarts;
  /** The file of the processor's log. */
  readonly processorLog: string;
}

/** What it is opened with. */
export interface MachineParts extends Pick<Database, 'pool' | 'prisma' | 'transaction'> {
  readonly bus: Bus;
  readonly mqtt: MqttLink;
  readonly settings: SettingsReader;
  readonly clock: Clock;
  readonly log: Logger;
  readonly config: {
    readonly dataDir: string;
    readonly processorLog?: string;
    readonly processorFlagDir?: string;
    readonly activityDays: number;
  };
}

/** Begins to measure, closes a feeder that was left open, and goes on with a restart that waits. */
export function openMachine(parts: MachineParts): Machine & { close(): Promise<void> } {
  const { dataDir, processorLog = join(dataDir, 'processor.log'), processorFlagDir } = parts.config;
  const host = openHostMetrics({ ...parts, dataDir });
  const feeder = openFeeder(parts);
  const restarts = openProcessorRestarts({ ...parts, flag: createRestartFlag(processorFlagDir) });
  const hubMetrics = createHubMetrics({ ...parts, host });
  const pruning = startPruning({ ...parts, days: parts.config.activityDays });
  const close = async () => {
    await Promise.all([feeder.close(), restarts.close(), host.close(), pruning.stop()]);
  };
  return { host, hubMetrics, feeder, restarts, processorLog, close };
}
