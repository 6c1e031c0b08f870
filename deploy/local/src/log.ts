type Context = Record<string, unknown>;

/** Writes one JSON line per call, in the form the services use. */
export type Log = Record<'info' | 'warn' | 'error', (context: Context, message: string) => void>;

const levels = { info: 30, warn: 40, error: 50 } as const;

export function createLog(
  name: string,
  write: (line: string) => void = (line) => process.stdout.write(line),
): Log {
  const at = (level: keyof typeof levels) => (context: Context, message: string) =>
    write(`${JSON.stringify({ level: levels[level], time: Date.now(), name, ...context, msg: message })}\n`);
  return { info: at('info'), warn: at('warn'), error: at('error') };
}
