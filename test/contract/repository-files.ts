import { existsSync, readdirSync, readFileSync } from 'node:fs';

const root = new URL('../../', import.meta.url);
const excluded = /(^|\/)(node_modules|dist|generated)\//;

/** Reads a file of the repository. */
export const readText = (name: string) => readFileSync(new URL(name, root), 'utf8');

/** Returns whether the repository has a file or folder with this path. */
export const pathExists = (name: string) => existsSync(new URL(name, root));

/** Lists the paths below a folder, without installed, built and generated files. */
export function listBelow(folder: string): string[] {
  const names = readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' });
  return names.map((name) => `${folder}/${name}`).filter((name) => !excluded.test(name));
}

const folders = ['deploy', 'docs', 'packages', 'scripts', 'services', 'test', 'tools', 'web'];

/** Lists the files of the repository, without installed, built and generated ones. */
export function listAll(): string[] {
  const inRoot = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isFile());
  return [...inRoot.map(({ name }) => name), ...folders.flatMap(listBelow)];
}

/** Lists the Markdown pages: in the root, below `docs`, and each README in a code folder. */
export function listPages(): string[] {
  const pages = readdirSync(root).filter((name) => name.endsWith('.md'));
  const below = folders
    .flatMap(listBelow)
    .filter((name) => (name.startsWith('docs/') ? name.endsWith('.md') : name.endsWith('/README.md')));
  return [...pages, ...below].sort();
}
