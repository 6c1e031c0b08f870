import type { Logger } from 'pino';

/** What is asked of the machine. */
export type Probe<T> = () => Promise<T>;

/** How long a probe may take, and what it is called in the log. */
export interface ProbeLimit {
  readonly name: string;
  readonly limitMs: number;
  readonly log: Logger;
}

/**
 * A probe that holds nobody up: undefined when it fails or takes longer. One that still hangs from before is not
 * asked again, as each would leave another process behind.
 */
export function limited<T>(probe: Probe<T>, { name, limitMs, log }: ProbeLimit): Probe<T | undefined> {
  let isRunning = false;

  async function run(): Promise<T | undefined> {
    isRunning = true;
    try {
      return await probe();
    } catch (error) {
      log.debug({ err: error, probe: name }, 'host not measured');
      return undefined;
    } finally {
      isRunning = false;
    }
  }

  return async () => {
    if (isRunning) return undefined;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => {
        log.debug({ probe: name, limit_ms: limitMs }, 'host not measured in time');
        resolve(undefined);
      }, limitMs);
    });
    return Promise.race([run(), late]).finally(() => clearTimeout(timer));
  };
}
