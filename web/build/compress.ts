import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

const compressible = /\.(js|css|svg|json|webmanifest)$/;
/** Smaller files grow when compressed. */
const minBytes = 200;

/** Writes a gzip and a Brotli version of each text file, so that the server compresses nothing on request. */
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
          if (!compressible.test(name) || statSync(file).size < minBytes) continue;
          const content = readFileSync(file);
          const { BROTLI_PARAM_QUALITY: quality } = constants;
          writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
          writeFileSync(`${file}.br`, brotliCompressSync(content, { params: { [quality]: 11 } }));
        }
      },
    },
  };
}
