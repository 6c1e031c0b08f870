import fastify from 'fastify';
import { serve } from './serve.js';

/** The least that Fastify can do: send a string that is there already. The argument is its size in bytes. */
const response = 'x'.repeat(Number(process.argv[2]));
const app = fastify();
app.get('/', (_, reply) => reply.type('application/json; charset=utf-8').send(response));
await serve(app);
