import { type JobProcess, startServer } from './job-process.js';

const constantResponse = new URL('../limits/constant-response.ts', import.meta.url);
const oneStatement = new URL('../limits/one-statement.ts', import.meta.url);
const sendFiles = new URL('../limits/send-files.ts', import.meta.url);

async function withServer<T>(
  starting: Promise<JobProcess & { origin: string }>,
  work: (origin: string) => Promise<T>,
): Promise<T> {
  const server = await starting;
  try {
    return await work(server.origin);
  } finally {
    await server.stop();
  }
}

/** Runs `work` with a bare Fastify that sends a string of this size. */
export function withConstantResponse<T>(bytes: number, work: (origin: string) => Promise<T>): Promise<T> {
  return withServer(startServer(constantResponse, [String(bytes)]), work);
}

/** Runs `work` with a bare Fastify that runs one hand-written statement with pg. */
export function withOneStatement<T>(databaseUrl: string, work: (origin: string) => Promise<T>): Promise<T> {
  return withServer(startServer(oneStatement, [databaseUrl]), work);
}

/** Runs `work` with a bare Fastify that sends these files as one response. */
export function withFileSender<T>(files: readonly string[], work: (url: string) => Promise<T>): Promise<T> {
  return withServer(startServer(sendFiles, []), async (origin) => {
    const headers = { 'content-type': 'application/json' };
    const taken = await fetch(`${origin}/files`, { method: 'PUT', headers, body: JSON.stringify(files) });
    if (!taken.ok) throw new Error(`the list of files was answered with ${taken.status}`);
    return work(origin);
  });
}
