import { basename } from 'node:path';
import { access, type HubApp } from '@birdhub/shared/app';
import type pg from 'pg';
import { Type } from 'typebox';
import { readLog, readPostedLines } from './logs.js';

const schema = {
  operationId: 'getLogs',
  summary: 'Get the last lines of the processor log',
  description:
    'Reads the log file and its rotated files. Without a file, returns the lines that processors posted to ' +
    'the activity log. Lines are truncated to 4 KB; control characters are escaped.',
  tags: ['system'],
  security: access.admin,
  querystring: Type.Object({
    lines: Type.Integer({ minimum: 1, maximum: 5_000, default: 200, description: 'Maximum number of lines' }),
  }),
  response: {
    200: Type.Object(
      {
        lines: Type.Array(Type.String(), { description: 'Lines, newest last' }),
        path: Type.String({
          description: 'Name of the file without its folder; `activity_log` when there is no file',
        }),
      },
      { $id: 'Logs' },
    ),
  },
};

/** `GET /system/logs` */
export function logsRoutes(
  app: HubApp,
  { pool, processorLog }: { pool: pg.Pool; processorLog: string },
): void {
  app.get('/api/ui/system/logs', { schema }, async ({ query }) => {
    const lines = await readLog(processorLog, query.lines);
    if (lines) return { lines, path: basename(processorLog) };
    return { lines: await readPostedLines(pool, query.lines), path: 'activity_log' };
  });
}
