import { Latencies } from './latencies.js';
import { type LoadConnection, openConnection } from './load-connection.js';
import type { LoadJob, LoadResult } from './load-job.js';
import { createRequestSource } from './request-source.js';
import { encodeRequest } from './wire-request.js';

/** Number of bodies per second that are prepared before the measurement, as creating them takes longer than sending. */
const preparedPerSecond = 2_500;

/** Returns a function that encodes requests by number; the expected number of posts is encoded in advance. */
function createEncoder({ plan, origin, first, seconds }: LoadJob): (number: number) => Buffer {
  const source = createRequestSource(plan);
  const { host } = new URL(origin);
  const encode = (number: number) => encodeRequest(source(number), host);
  if (plan.kind !== 'new-recordings') return encode;
  const prepared = Array.from({ length: Math.ceil(seconds * preparedPerSecond) }, (_, index) =>
    encode(first + index),
  );
  return (number) => prepared[number - first] ?? encode(number);
}

/** Runs a load. @throws when a response has an unexpected status, as the results would be meaningless */
export async function runLoad(job: LoadJob): Promise<LoadResult> {
  const { origin, connections, seconds, first, expectedStatus } = job;
  const encoder = createEncoder(job);
  const latencies = new Latencies();
  const opened = await Promise.all(Array.from({ length: connections }, () => openConnection(origin)));
  let next = first;
  let bytes = 0;
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1000;

  const loop = async (connection: LoadConnection) => {
    while (performance.now() < endsAt) {
      const number = next;
      next += 1;
      const exchange = await connection.exchange(encoder(number));
      if (exchange.status !== expectedStatus) {
        throw new Error(
          `request ${number} to ${origin} was answered with ${exchange.status}, not ${expectedStatus}`,
        );
      }
      latencies.add(exchange.milliseconds);
      bytes = Math.max(bytes, exchange.bytes);
    }
  };
  try {
    await Promise.all(opened.map(loop));
  } finally {
    for (const connection of opened) connection.close();
  }
  const elapsed = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(cpuBefore);
  return {
    ...latencies.percentiles(),
    perSecond: latencies.count / elapsed,
    requests: next - first,
    bytes,
    clientCpuSeconds: (user + system) / 1e6,
  };
}
