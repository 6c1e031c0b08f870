import { readFile } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

// A thread does not inherit the loader of tests and development, and loading one takes longer than the work of most
// threads. Instead, the module is bundled together with its imports from this repository.

const isPackage = (path) => /^[^./]/.test(path) && !path.startsWith('@birdhub/');
const source = {
  name: 'source',
  setup({ onLoad, onResolve, resolve }) {
    onResolve({ filter: /^[^./]/ }, async ({ path, pluginData, ...from }) => {
      if (pluginData === 'found' || from.kind === 'entry-point' || !isPackage(path)) return undefined;
      const found = await resolve(path, { ...from, pluginData: 'found' });
      const isFile = found.path.startsWith('/');
      return { path: isFile ? pathToFileURL(found.path).href : path, external: true };
    });
    onLoad({ filter: /\.ts$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replaceAll(
        'import.meta.url',
        JSON.stringify(pathToFileURL(path)),
      ),
      loader: 'ts',
    }));
  },
};
const { outputFiles } = await build({
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  conditions: ['hub:source'],
  entryPoints: [fileURLToPath(process.argv[2])],
  plugins: [source],
  write: false,
});
await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
