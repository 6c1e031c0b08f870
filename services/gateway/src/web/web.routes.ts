import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { access, type HubApp } from '@birdhub/shared/app';
import { HubError } from '@birdhub/shared/errors';
import fastifyStatic from '@fastify/static';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';

/** The location of the UI on disk and in the browser. */
export interface WebOptions {
  /** Folder of the built UI. */
  readonly webDir: string;
  readonly basePath: string;
  readonly prefixOf: (request: FastifyRequest) => string;
}

/** Serves the files of the UI, and its HTML at the paths of its pages. */
export function webRoutes(app: HubApp, { webDir, basePath, prefixOf }: WebOptions): void {
  const html = readFileSync(join(webDir, 'index.html'), 'utf8');
  // Registering a route for each file would take a tenth of the gateway's start-up time.
  const files = new Set(listFiles(webDir));
  app.register(fastifyStatic, {
    root: webDir,
    serve: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (response, file) => response.setHeader('cache-control', cacheControlOf(file)),
  });
  const send = (request: FastifyRequest, reply: FastifyReply) => {
    const [path = ''] = request.url.slice(basePath.length).split('?');
    const file = path.slice(1);
    if (files.has(file)) return reply.sendFile(file);
    if (!isPage(path || '/', request.headers.accept)) throw new HubError('route_not_found');
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(withBase(html, prefixOf(request)));
  };
  for (const url of basePath ? [basePath, `${basePath}/*`] : ['/*']) {
    app.get(url, { schema: { hide: true } }, send);
  }
}

/** Lists the files that are served unchanged, without their compressed variants. */
function listFiles(webDir: string): string[] {
  const entries = readdirSync(webDir, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !/\.(html|br|gz)$/.test(entry.name))
    .map((entry) => relative(webDir, join(entry.parentPath, entry.name)));
}

/** Files with a content hash in their name are immutable; others are revalidated. */
function cacheControlOf(file: string): string {
  return file.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
}

/** Paths outside the UI, and paths of files. The id of a camera may have a dot. */
const nonPagePath = /^\/(api|data|assets|metrics)(\/|$)|^\/(?!cameras\/).*\.[a-z0-9]+$/i;

/** Pages served to all clients; others only to browsers, so that programs get 404 for unknown paths. */
const openPages = ['/', '/index.html', '/timeline'];

/** Whether a path below the base path is a page of the UI, all of which share one HTML file. */
export function isPage(path: string, accept: string | undefined): boolean {
  if (openPages.includes(path)) return true;
  return !nonPagePath.test(path) && accept?.includes('text/html') === true;
}

/** Sets `prefix`, which has no trailing slash, as the base of the page. */
export function withBase(html: string, prefix: string): string {
  return html.replace(/<base href="[^"]*"/, `<base href="${prefix}/"`);
}

const unknownsSchema = {
  operationId: 'redirectUnknowns',
  summary: 'Redirect to the review page',
  tags: ['pages'],
  security: access.open,
  response: {
    302: Type.Null({ description: 'Redirects to /timeline?review=1 and keeps all other query parameters' }),
  },
};

/** `GET /unknowns` */
export function unknownsRedirectRoute(app: HubApp, { basePath, prefixOf }: Omit<WebOptions, 'webDir'>): void {
  app.get(`${basePath}/unknowns`, { schema: unknownsSchema }, (request, reply) => {
    reply.redirect(reviewTarget(request.url, prefixOf(request)), 302);
  });
}

/** Returns the address of the timeline with `review=1`, followed by the caller's other parameters. */
export function reviewTarget(url: string, prefix: string): string {
  const query = url.split('?').slice(1).join('?');
  const others = query.split('&').filter((pair) => pair && !new URLSearchParams(pair).has('review'));
  return `${prefix}/timeline?${['review=1', ...others].join('&')}`;
}
