// Loaded into each service by NODE_OPTIONS. Counts the calls of all functions, and sends those since the last connection
// to each client of `<TRACE_DIR>/<pid>.sock`.
import { Session } from 'node:inspector/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';

const folder = process.env.TRACE_DIR;
if (isMainThread && folder) {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const isOurs = ({ url }) =>
    /\/(packages|services)\/[\w-]+\/dist\//.test(url) && !url.includes('/node_modules/');
  const server = createServer(async (socket) => {
    const { result } = await session.post('Profiler.takePreciseCoverage');
    socket.end(JSON.stringify(result.filter(isOurs)));
  });
  server.listen(join(folder, `${process.pid}.sock`)).unref();
}
