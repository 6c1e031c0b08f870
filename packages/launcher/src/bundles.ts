import { readdirSync, statSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { Plugin } from 'esbuild';
import { repository } from './options.js';
import type { ProgramName } from './programs.js';
import { serviceNames } from './service-addresses.js';

// Resolving and reading 1,500 modules takes half of the start of a program; bundles start twice as fast.

/** Packages with data files or native modules, and large ones that are loaded on demand. */
const external = ['@node-rs/argon2', '@prisma/client', 'fontkit', 'pdfkit', 'pg-native', 'sharp'];
/** Globals of CommonJS that bundled packages expect. */
const commonJs = `import { createRequire as createBundleRequire } from 'node:module';
const require = createBundleRequire(import.meta.url);
const __filename = require('node:url').fileURLToPath(import.meta.url);
const __dirname = require('node:path').dirname(__filename);`;

const bundleOf = (file: string) => file.replace(/\.js$/, '.bundle.js');

function modifiedAt(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** Returns when a compiled workspace or the installed packages last changed. */
function sourcesModifiedAt(root: string): number {
  const workspaces = ['packages', 'services'].flatMap((folder) =>
    readdirSync(join(root, folder), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => join(folder, name, 'dist/.tsbuildinfo')),
  );
  const files = [...workspaces, 'node_modules/.package-lock.json'];
  return Math.max(...files.map((file) => modifiedAt(join(root, file))));
}

/** Returns the compiled file of a program, for development. */
export function findCompiledProgram(name: ProgramName, root = repository): string {
  const isOfLauncher = name === 'single-process' || name === 'migration';
  return join(root, isOfLauncher ? `packages/launcher/dist/${name}.js` : `services/${name}/dist/main.js`);
}

/** Returns the file of a program: its bundle, or the compiled module when that is newer. */
export function findProgram(name: ProgramName, root = repository): string {
  const file = findCompiledProgram(name, root);
  return modifiedAt(bundleOf(file)) > sourcesModifiedAt(root) ? bundleOf(file) : file;
}

/** The URL of a worker thread's module in our sources. */
const workerAddress = /new URL\('(\.\/[\w-]+-worker)\.js', import\.meta\.url\)/g;

/**
 * Rewrites URLs of files next to our modules, so that bundles find them too. Worker threads get their own bundles
 * first.
 */
function rewriteAddresses(outputFolder: string, bundleWorker: (file: string) => Promise<unknown>): Plugin {
  return {
    name: 'keep-addresses',
    setup(build) {
      build.onLoad({ filter: /\/(?:packages|services)\/[^/]+\/dist\/.*\.js$/ }, async ({ path }) => {
        const address = JSON.stringify(`./${relative(outputFolder, path)}`);
        const compiled = await readFile(path, 'utf8');
        const workers = [...compiled.matchAll(workerAddress)].map(([, name]) => `${name}.js`);
        await Promise.all(workers.map((file) => bundleWorker(join(dirname(path), file))));
        return {
          contents: compiled
            .replaceAll(workerAddress, (found) => found.replace('.js', '.bundle.js'))
            .replaceAll('import.meta.url', `new URL(${address}, import.meta.url).href`),
        };
      });
    },
  };
}

/** Replaces what is not ASCII, as in regular expressions: V8 would keep the source in UTF-16, in twice the memory. */
async function escapeOtherCharacters(file: string): Promise<void> {
  const source = await readFile(file, 'utf8');
  const escapeOf = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  await writeFile(file, source.replace(/[^\0-\x7f]/g, escapeOf));
}

/** Bundles each changed program and its worker threads. */
export async function bundlePrograms(root = repository): Promise<void> {
  const names = [...serviceNames, 'single-process', 'migration'] as const;
  const changed = names.filter((name) => findProgram(name, root) === findCompiledProgram(name, root));
  if (changed.length === 0) return;
  const { build, stop } = await import('esbuild');
  const workers = new Map<string, Promise<unknown>>();
  const bundleWorker = (file: string) => {
    const bundled = workers.get(file) ?? bundle(file);
    workers.set(file, bundled);
    return bundled;
  };
  const bundle = async (file: string): Promise<void> => {
    await build({
      absWorkingDir: root,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      logLevel: 'warning',
      external,
      minifyWhitespace: true,
      lineLimit: 120,
      banner: { js: commonJs },
      entryPoints: [file],
      outfile: bundleOf(file),
      plugins: [rewriteAddresses(dirname(file), bundleWorker)],
    });
    await escapeOtherCharacters(bundleOf(file));
  };
  try {
    await Promise.all(changed.map((name) => bundle(findCompiledProgram(name, root))));
  } finally {
    // Otherwise its process would hold more than a gigabyte of memory while the hub runs.
    await stop();
  }
}
