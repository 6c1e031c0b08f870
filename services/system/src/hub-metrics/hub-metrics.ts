import { countedSql } from '@birdhub/domain/species';
import { hubVersion } from '@birdhub/shared/config';
import { queryRow } from '@birdhub/shared/db';
import pLimit from 'p-limit';
import type pg from 'pg';
import type { Logger } from 'pino';
import { Gauge, Registry } from 'prom-client';
import type { HostMetrics } from '../host-metrics/host-history.js';
import type { HostReading } from '../host-metrics/host-reader.js';

/** The public metrics. */
export interface HubMetrics {
  /** Returns current metrics in the Prometheus text format 0.0.4. */
  text(): Promise<string>;
}

/** Dependencies of the metrics. */
export interface HubMetricsDeps {
  readonly pool: pg.Pool;
  readonly host: Pick<HostMetrics, 'snapshot'>;
  readonly log: Logger;
}

/** Maintained counters of the hub; null when unknown. */
export interface HubFacts {
  readonly detections: number;
  readonly videos: number;
  readonly visits: number;
  /** Number of bird species with visits, without generic ones. */
  readonly species: number;
  readonly recordingsBytes: number;
  readonly heartbeatAgeSeconds: number | null;
  /** Up to {@link maxPending}. */
  readonly outboxPending: number;
}

/** The input of the metrics; without facts only those of the host are written. */
export interface Measurements {
  readonly version: string;
  readonly host: HostReading;
  readonly facts: HubFacts | undefined;
}

type Line = readonly [name: string, help: string, value: number | null];

/** Limit of the count of events. */
const maxPending = 10_000;

/** Sums of maintained counters and two index look-ups; `species_total` has one row per species. */
const factsSql = `
  SELECT coalesce(counter.detections, 0) AS detections, coalesce(counter.videos, 0) AS videos,
    coalesce(counter.visits, 0) AS visits, coalesce(counter.bytes, 0) AS "recordingsBytes",
    (SELECT count(*) FROM species_total JOIN species ON species.id = species_id
     WHERE visits > 0 AND ${countedSql()}) AS species,
    (SELECT greatest(extract(epoch FROM now() - updated_at), 0)::float8 FROM processor_heartbeat
     ORDER BY updated_at DESC LIMIT 1) AS "heartbeatAgeSeconds",
    (SELECT count(*) FROM (SELECT FROM outbox LIMIT ${maxPending}) waiting) AS "outboxPending"
  FROM (
    SELECT sum(value) FILTER (WHERE name = 'detections') AS detections,
      sum(value) FILTER (WHERE name = 'videos') AS videos,
      sum(value) FILTER (WHERE name = 'visits') AS visits,
      sum(value) FILTER (WHERE name = 'recordings_bytes') AS bytes
    FROM hub_counter WHERE name IN ('detections', 'videos', 'visits', 'recordings_bytes')
  ) counter`;

/** Creates the metrics. Calls during a read share the next one, so that many concurrent calls cost two statements. */
export function createHubMetrics({ pool, host, log }: HubMetricsDeps): HubMetrics {
  const limit = pLimit(1);
  let next: Promise<string> | undefined;

  /** Without the database only metrics of the host are returned. */
  async function readFactsIfPossible(): Promise<HubFacts | undefined> {
    try {
      return await readHubFacts(pool);
    } catch (error) {
      log.warn({ err: error }, 'database not readable, only host metrics returned');
      return undefined;
    }
  }

  async function write(): Promise<string> {
    next = undefined;
    const facts = await readFactsIfPossible();
    return writeExposition({ version: hubVersion, host: host.snapshot(), facts });
  }

  return {
    text() {
      next ??= limit(write);
      return next;
    },
  };
}

/** Writes the Prometheus text format 0.0.4, without unknown values. */
export async function writeExposition({ version, host, facts }: Measurements): Promise<string> {
  const registry = new Registry();
  const registers = [registry];
  for (const [name, help, value] of [...hostLines(host), ...(facts ? factLines(facts) : [])]) {
    if (value !== null) new Gauge({ name, help, registers }).set(value);
  }
  new Gauge({
    name: 'birdhub_build_info',
    help: 'The version of the hub; always 1',
    labelNames: ['version'],
    registers,
  }).set({ version }, 1);
  return registry.metrics();
}

function hostLines({ cpuPercent, memory, disk, gpuPercent }: HostReading): Line[] {
  return [
    ['birdhub_cpu_usage_percent', 'Load of all cores together, 0 to 100', cpuPercent],
    ['birdhub_memory_used_percent', 'Memory in use, 0 to 100', memory.percent],
    ['birdhub_memory_total_bytes', 'Memory of the host', memory.totalBytes],
    ['birdhub_memory_used_bytes', 'Memory in use', memory.usedBytes],
    ['birdhub_disk_used_percent', 'Use of the disk that holds the data folder, 0 to 100', disk.percent],
    ['birdhub_gpu_usage_percent', 'Load of the busiest GPU, 0 to 100', gpuPercent],
  ];
}

function factLines(facts: HubFacts): Line[] {
  return [
    ['birdhub_detections', 'Detections in store', facts.detections],
    ['birdhub_videos', 'Recordings in store', facts.videos],
    ['birdhub_species', 'Species that visited', facts.species],
    ['birdhub_visits', 'Visits in store', facts.visits],
    ['birdhub_recordings_bytes', 'Size of the media files of all recordings', facts.recordingsBytes],
    [
      'birdhub_processor_heartbeat_age_seconds',
      'Time since the newest heartbeat of a processor',
      facts.heartbeatAgeSeconds,
    ],
    [
      'birdhub_outbox_pending',
      `Events that wait for the broker, counted up to ${maxPending}`,
      facts.outboxPending,
    ],
  ];
}

/** Reads the facts in one statement, in constant time. */
async function readHubFacts(pool: pg.Pool): Promise<HubFacts> {
  return queryRow<HubFacts>(pool, { name: 'hub-facts', text: factsSql });
}
