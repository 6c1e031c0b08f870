import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HubApp } from '@birdhub/shared/app';
import { HubError } from '@birdhub/shared/errors';
import fastifyStatic from '@fastify/static';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isPage, placePage } from './place-page.js';

/** Where the UI is and where it is reached. */
export interface WebOptions {
  /** Folder of the built UI. */
  readonly webDir: string;
  readonly basePath: string;
  readonly prefixOf: (request: FastifyRequest) => string;
}

/** Names with a hash of the content never change it; the others are asked for anew. */
function cacheControlOf(file: string): string {
  return file.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
}

/** The files of the UI, and its page at every address that nothing else has. */
export function webRoutes(app: HubApp, { webDir, basePath, prefixOf }: WebOptions): void {
  const html = readFileSync(join(webDir, 'index.html'), 'utf8');
  app.register(fastifyStatic, {
    root: webDir,
    prefix: `${basePath}/`,
    wildcard: false,
    index: false,
    globIgnore: ['**/index.html', '**/*.{br,gz}'],
    preCompressed: true,
    cacheControl: false,
    setHeaders: (response, file) => response.setHeader('cache-control', cacheControlOf(file)),
  });
  const sendPage = (request: FastifyRequest, reply: FastifyReply) => {
    const [path = ''] = request.url.slice(basePath.length).split('?');
    if (!isPage(path || '/', request.headers.accept)) throw new HubError('route_not_found');
    reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(placePage(html, prefixOf(request)));
  };
  for (const url of basePath ? [basePath, `${basePath}/*`] : ['/*']) {
    app.get(url, { schema: { hide: true } }, sendPage);
  }
}
