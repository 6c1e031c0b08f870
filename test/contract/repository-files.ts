import { existsSync, readdirSync, readFileSync } from 'node:fs';

const root = new URL('../../', import.meta.url);
const notOurs = /(^|\/)(node_modules|dist|generated)\//;

/** The text of a file of the repository. */
export const readText = (name: string) => readFileSync(new URL(name, root), 'utf8');

/** Whether the repository has a file or folder of this name. */
export const isThere = (name: string) => existsSync(new URL(name, root));

/** Names of the files below a folder, what was installed or built left out. */
export function listBelow(folder: string): string[] {
  const names = readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' });
  return names.map((name) => `${folder}/${name}`).filter((name) => !notOurs.test(name));
}

const folders = ['deploy', 'docs', 'packages', 'scripts', 'services', 'test', 'tools', 'web'];

/** Names of all files of the repository, what was installed or built left out. */
export function listAll(): string[] {
  const inRoot = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isFile());
  return [...inRoot.map(({ name }) => name), ...folders.flatMap(listBelow)];
}

/** The pages of the repository: in its root, below `docs`, and every README beside the code. */
export function listPages(): string[] {
  const pages = readdirSync(root).filter((name) => name.endsWith('.md'));
  const below = folders
    .flatMap(listBelow)
    .filter((name) => (name.startsWith('docs/') ? name.endsWith('.md') : name.endsWith('/README.md')));
  return [...pages, ...below].sort();
}
