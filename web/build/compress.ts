import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

const texts = /\.(js|css|svg|json|webmanifest)$/;
/** Smaller ones are larger when packed. */
const smallestBytes = 200;

/** Lays a gzip and a brotli version beside each text, so that nothing is packed while it is served. */
export function compress(): Plugin {
  let folder = '';
  return {
    name: 'birdhub:compress',
    apply: 'build',
    enforce: 'post',
    configResolved: ({ root, build }) => {
      folder = resolve(root, build.outDir);
    },
    closeBundle: {
      order: 'post',
      sequential: true,
      handler: () => {
        for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
          const file = join(folder, name);
          if (!texts.test(name) || statSync(file).size < smallestBytes) continue;
          const content = readFileSync(file);
          const { BROTLI_PARAM_QUALITY: quality } = constants;
          writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
          writeFileSync(`${file}.br`, brotliCompressSync(content, { params: { [quality]: 11 } }));
        }
      },
    },
  };
}
