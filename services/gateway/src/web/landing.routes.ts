import type { HubApp } from '@birdhub/shared/app';
import type { FastifyRequest } from 'fastify';

function landingPage(prefix: string, version: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Birdhub</title>
<style>body{font:1rem/1.5 system-ui;max-width:40rem;margin:3rem auto;padding:0 1rem}</style>
<h1>Birdhub</h1>
<p>The bird visit monitoring hub, version ${version}, is running.</p>
<ul>
<li><a href="${prefix}/openapi.yaml">openapi.yaml</a>: every route of the hub</li>
<li><a href="${prefix}/api/ui/readiness">readiness</a>: how its parts are</li>
<li><code>README.md</code> and <code>docs/</code> of the repository: how to run and feed it</li>
</ul>
</html>
`;
}

/** `GET /`: says what runs here. */
export function landingRoutes(
  app: HubApp,
  options: { basePath: string; version: string; prefixOf: (request: FastifyRequest) => string },
): void {
  const { basePath, version, prefixOf } = options;
  const urls = basePath ? [basePath, `${basePath}/`] : ['/'];
  for (const url of urls) {
    app.get(url, { schema: { hide: true } }, (request, reply) => {
      reply
        .type('text/html; charset=utf-8')
        .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
        .send(landingPage(prefixOf(request), version));
    });
  }
}
