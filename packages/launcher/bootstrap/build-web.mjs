import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, runCommandAside } from './command.mjs';

const web = join(root, 'web');
const stamp = join(web, 'dist/.built-from');
const generated = ['dist', 'node_modules'];

/** Returns a hash of the names, sizes and times of the UI's sources. */
function hashSources() {
  const names = readdirSync(web).filter((name) => !generated.includes(name));
  const files = names.flatMap((name) =>
    statSync(join(web, name)).isDirectory()
      ? readdirSync(join(web, name), { recursive: true }).map((below) => join(name, below))
      : [name],
  );
  const hash = createHash('sha256');
  for (const name of [...files.sort(), '../package-lock.json', '../openapi.yaml']) {
    const { size, mtimeMs } = statSync(join(web, name));
    hash.update(`${name} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

/** Builds the web UI, unless it is up to date. */
export async function buildWeb(log) {
  const sources = hashSources();
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === sources) return;
  log('Building the web UI');
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  await runCommandAside(process.execPath, [vite, 'build', '--logLevel', 'warn'], { cwd: web });
  writeFileSync(stamp, sources);
}
