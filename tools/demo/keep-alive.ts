import { setTimeout as wait } from 'node:timers/promises';
import type { Processor } from './processor.js';

const HEARTBEAT_EVERY_MS = 30_000;

/** Sends heartbeats until the signal; says once when they stop getting through and when they do again. */
export async function keepAlive({ client, now, say }: Processor, until: AbortSignal): Promise<void> {
  let isHeard = true;
  while (!until.aborted) {
    try {
      const commands = await client.heartbeat({ last_yolo_ok_at: new Date(now()).toISOString() });
      for (const { type } of commands) say(`The hub asks the processor to ${type}; a demo just says yes.`);
      if (!isHeard) say('Heartbeats get through again.');
      isHeard = true;
    } catch (error) {
      if (until.aborted) return;
      if (isHeard) say(`A heartbeat did not get through: ${error instanceof Error ? error.message : error}`);
      isHeard = false;
    }
    await wait(HEARTBEAT_EVERY_MS, undefined, { signal: until }).catch((error: unknown) => {
      if (!until.aborted) throw error;
    });
  }
}
