import type { HubApp } from '@birdhub/shared/app';
import cors from '@fastify/cors';

const exposedHeaders = [
  'Content-Disposition',
  'Content-Range',
  'ETag',
  'Link',
  'Retry-After',
  'Warning',
  'X-Hub-Ignored',
  'X-Request-Id',
];

/** Lets pages of these origins call the hub from a browser, with the session cookie where it reaches them. */
export function allowOrigins(app: HubApp, origins: ReadonlySet<string>): void {
  if (!origins.size) return;
  app.register(cors, {
    origin: (origin, answer) => answer(null, origin !== undefined && origins.has(origin)),
    credentials: true,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders,
    maxAge: 600,
    strictPreflight: false,
  });
}
