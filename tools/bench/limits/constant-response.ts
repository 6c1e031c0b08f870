import fastify from 'fastify';
import { serve } from './serve.js';

// The minimum work of Fastify: sending a constant string. The argument is its size in bytes.
const response = 'x'.repeat(Number(process.argv[2]));
const app = fastify();
app.get('/', (_, reply) => reply.type('application/json; charset=utf-8').send(response));
await serve(app);
