type Context = Record<string, unknown>;

/** Writes one JSON line per call, in the format of the services. */
export type Log = Record<'info' | 'warn' | 'error', (context: Context, message: string) => void>;

/** Creates a log that writes to stdout by default. */
export function createLog(
  service: string,
  write: (line: string) => void = (line) => process.stdout.write(line),
): Log {
  const at = (level: keyof Log) => (context: Context, message: string) => {
    const time = new Date().toISOString();
    write(`${JSON.stringify({ level, time, service, ...context, msg: message })}\n`);
  };
  return { info: at('info'), warn: at('warn'), error: at('error') };
}
