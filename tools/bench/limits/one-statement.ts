import fastify from 'fastify';
import pg from 'pg';
import { serve } from './serve.js';
import { timelineSql } from './timeline-sql.js';

// Fastify and pg with one hand-written statement. The argument is the URL of the database.
const pool = new pg.Pool({
  connectionString: process.argv[2],
  max: 10,
  options: '-c timezone=UTC -c jit=off',
});
const app = fastify();
app.addHook('onClose', () => pool.end());

app.get<{ Querystring: { start_time: string; end_time: string } }>('/timeline', async (request, reply) => {
  const { start_time, end_time } = request.query;
  const window = [start_time, end_time].map((seconds) => new Date(Number(seconds) * 1000).toISOString());
  const { rows } = await pool.query<{ response: string }>({
    name: 'timeline',
    text: timelineSql,
    values: window,
  });
  return reply.type('application/json; charset=utf-8').send(rows[0]?.response);
});
await serve(app);
