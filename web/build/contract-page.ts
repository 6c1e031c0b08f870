import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Plugin } from 'vite';

/** Logo that Redoc would load from another host. */
const logo = 'https://cdn.redoc.ly/redoc/logo-mini.svg';
const emptyPicture = 'data:image/svg+xml,%3Csvg xmlns=%27http://www.w3.org/2000/svg%27/%3E';

/** Returns Redoc as one script that loads nothing. @throws when a newer Redoc loads its logo from another URL */
function readRedoc(): string {
  const file = createRequire(import.meta.url).resolve('redoc/bundles/redoc.standalone.js');
  const script = readFileSync(file, 'utf8');
  if (!script.includes(logo)) throw new Error(`${file} does not contain ${logo}`);
  return script.replace(logo, emptyPicture);
}

const fonts = 'system-ui, sans-serif';
const options = {
  expandResponses: '200,201',
  hideSecuritySection: false,
  jsonSamplesExpandLevel: 3,
  nativeScrollbars: true,
  requiredPropsFirst: true,
  theme: {
    colors: { primary: { main: '#2f6330' } },
    typography: {
      fontFamily: fonts,
      headings: { fontFamily: fonts },
      code: { fontFamily: 'ui-monospace, monospace' },
    },
  },
};

/** A separate file, as the hub does not allow inline scripts. */
const start = `Redoc.init(
  new URL('openapi.yaml', document.baseURI).href,
  ${JSON.stringify(options)},
  document.getElementById('contract'),
);
`;

const page = (scripts: readonly string[]) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <base href="/" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <link rel="icon" href="./icon.svg" type="image/svg+xml" />
    <title>Birdhub: the HTTP contract</title>
    <style>body { margin: 0; }</style>
${scripts.map((name) => `    <script defer src="./${name}"></script>`).join('\n')}
  </head>
  <body>
    <div id="contract"></div>
    <noscript>This page needs JavaScript; the contract itself is at openapi.yaml.</noscript>
  </body>
</html>
`;

/** Builds `docs.html`, which shows the contract with Redoc; no other page loads its script. */
export function contractPage(): Plugin {
  return {
    name: 'birdhub:contract-page',
    apply: 'build',
    generateBundle() {
      const scripts = { redoc: readRedoc(), 'redoc-start': start };
      const names = Object.entries(scripts).map(([name, source]) => {
        const hash = createHash('sha256').update(source).digest('base64url').slice(0, 8);
        const fileName = `assets/${name}-${hash}.js`;
        this.emitFile({ type: 'asset', fileName, source });
        return fileName;
      });
      this.emitFile({ type: 'asset', fileName: 'docs.html', source: page(names) });
    },
  };
}
