import type { FastifyInstance } from 'fastify';

/** Listens on a free port, sends its origin to the parent process, and exits with it. */
export async function serve(app: FastifyInstance): Promise<void> {
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  process.once('disconnect', () => app.close().then(() => process.exit()));
  process.send?.({ origin });
}
