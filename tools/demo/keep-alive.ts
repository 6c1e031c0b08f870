import { setTimeout as wait } from 'node:timers/promises';
import { errorMessage } from '@birdhub/shared/errors';
import type { Processor } from './processor.js';

const heartbeatEveryMs = 30_000;

/** Sends heartbeats until the signal fires; reports once when they fail and once when they succeed again. */
export async function keepAlive({ client, now, say }: Processor, until: AbortSignal): Promise<void> {
  let isReachable = true;
  while (!until.aborted) {
    try {
      const commands = await client.heartbeat({ last_yolo_ok_at: new Date(now()).toISOString() });
      for (const { type } of commands)
        say(`The hub sent the command ${type}, which the demo acknowledges and ignores.`);
      if (!isReachable) say('Heartbeats succeed again.');
      isReachable = true;
    } catch (error) {
      if (until.aborted) return;
      if (isReachable) say(`A heartbeat failed: ${errorMessage(error)}`);
      isReachable = false;
    }
    await wait(heartbeatEveryMs, undefined, { signal: until }).catch((error: unknown) => {
      if (!until.aborted) throw error;
    });
  }
}
