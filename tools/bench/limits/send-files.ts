import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import fastify from 'fastify';
import { serve } from './serve.js';

/** The files that are sent as one response. The list is sent in a request before, as it is too long for arguments. */
let files: readonly string[] = [];

async function* readAll(): AsyncGenerator<Buffer> {
  for (const file of files) yield await readFile(file);
}

const app = fastify({ bodyLimit: 64 * 2 ** 20 });
app.put<{ Body: string[] }>('/files', (request) => {
  files = request.body;
  return { files: files.length };
});
app.get('/', (_, reply) => reply.type('application/octet-stream').send(Readable.from(readAll())));
await serve(app);
