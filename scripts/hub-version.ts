import { existsSync, readdirSync, readFileSync } from 'node:fs';

const root = new URL('../', import.meta.url);

interface Versioned {
  version?: string;
  workspaces?: string[];
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

interface LockFile extends Versioned {
  packages: Record<string, Versioned>;
}

const read = (file: string) => readFileSync(new URL(file, root), 'utf8');
const readJson = <T>(file: string) => JSON.parse(read(file)) as T;
const toText = (value: object) => `${JSON.stringify(value, null, 2)}\n`;

/** Returns the version of the hub, from the file `VERSION`. */
export function hubVersion(): string {
  return read('VERSION').trim();
}

/** Returns the folders of all packages: an empty string for the root, and the folder of each workspace. */
export function packageFolders(): string[] {
  const { workspaces = [] } = readJson<Versioned>('package.json');
  const folders = workspaces.flatMap((pattern) => {
    if (!pattern.endsWith('/*')) return [pattern];
    const parent = pattern.slice(0, -2);
    return readdirSync(new URL(`${parent}/`, root)).map((name) => `${parent}/${name}`);
  });
  return ['', ...folders.filter((folder) => existsSync(new URL(`${folder}/package.json`, root)))];
}

/** Returns the path of the `package.json` in a folder of {@link packageFolders}. */
export const packageFile = (folder: string) => (folder ? `${folder}/package.json` : 'package.json');

function withVersion(manifest: Versioned, version: string): Versioned {
  const pin = (dependencies: Record<string, string>) =>
    Object.fromEntries(
      Object.entries(dependencies).map(([name, range]) => [
        name,
        name.startsWith('@birdhub/') ? version : range,
      ]),
    );
  return {
    ...manifest,
    version,
    ...(manifest.dependencies && { dependencies: pin(manifest.dependencies) }),
    ...(manifest.devDependencies && { devDependencies: pin(manifest.devDependencies) }),
    ...(manifest.optionalDependencies && { optionalDependencies: pin(manifest.optionalDependencies) }),
  };
}

/** Returns all files that contain the version of the hub, with their text for another version. */
export function filesOfVersion(version: string): { file: URL; text: string }[] {
  const folders = packageFolders();
  const lock = readJson<LockFile>('package-lock.json');
  const entries = Object.entries(lock.packages).map(([path, entry]): [string, Versioned] => [
    path,
    folders.includes(path) ? withVersion(entry, version) : entry,
  ]);
  const texts: [string, string][] = [
    ['VERSION', `${version}\n`],
    ['openapi.yaml', read('openapi.yaml').replace(/^ {2}version: .*$/m, `  version: ${version}`)],
    ['package-lock.json', toText({ ...lock, version, packages: Object.fromEntries(entries) })],
    ...folders.map((folder): [string, string] => [
      packageFile(folder),
      toText(withVersion(readJson<Versioned>(packageFile(folder)), version)),
    ]),
  ];
  return texts.map(([file, text]) => ({ file: new URL(file, root), text }));
}
