import { builtinModules } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageFile, packageFolders } from '../../scripts/hub-version.js';
import { listBelow, readText } from './repository-files.js';

interface Manifest {
  readonly name: string;
  readonly dependencies?: Record<string, string>;
  readonly devDependencies?: Record<string, string>;
  readonly optionalDependencies?: Record<string, string>;
}

interface Import {
  readonly file: string;
  readonly workspace: string;
  /** As written: a package name with a path, or a relative path. */
  readonly specifier: string;
  /** The package of the specifier; undefined for a relative path. */
  readonly package: string | undefined;
}

const workspaces = packageFolders().filter((folder) => folder !== '');
const manifestOf = (folder: string) => JSON.parse(readText(packageFile(folder))) as Manifest;
const services = workspaces.filter((folder) => folder.startsWith('services/'));
/** The parts of the hub; the other workspaces are programs for developers. */
const product = workspaces.filter((folder) => /^(packages|services)\//.test(folder));
/** Packages of the root with which every workspace is tested and run. */
const everywhere = ['vitest', 'tsx'];

const statement = /^(?:import|export)\s+(?:[\w$*{},\s]+\sfrom\s+)?'([^']+)'|\bimport\(\s*'([^']+)'/gm;
/** Programs in template literals, as in some tests, are not imports of the workspace. */
const texts = /`(?:[^`\\]|\\.)*`/g;

function packageOf(specifier: string): string | undefined {
  if (specifier.startsWith('.')) return undefined;
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

function importsOf(workspace: string): Import[] {
  return listBelow(workspace)
    .filter((file) => /\.(ts|tsx|mjs)$/.test(file) && !/\.d\.ts$/.test(file))
    .flatMap((file) =>
      [...readText(file).replaceAll(texts, '``').matchAll(statement)].map(([, first, second]) => {
        const specifier = first ?? second ?? '';
        return { file, workspace, specifier, package: packageOf(specifier) };
      }),
    );
}

const imports = workspaces.flatMap(importsOf);
const isTest = ({ file }: Import) => /\.test\.tsx?$|\/testing\//.test(file);
const isForeign = (name: string) =>
  !name.startsWith('node:') && !name.startsWith('virtual:') && !builtinModules.includes(name);
const toLines = (found: readonly Import[]) => found.map(({ file, specifier }) => `${file}: ${specifier}`);

describe('workspaces', () => {
  it('imports, in all of them, are found', () => {
    expect(product).toContain('packages/domain');
    expect(imports.length).toBeGreaterThan(3_000);
    expect(imports.filter(({ workspace }) => workspace === 'packages/shared').length).toBeGreaterThan(200);
  });

  it('packages/domain, imports no web framework', () => {
    const wrong = imports.filter(
      (one) => one.workspace === 'packages/domain' && /^(@fastify\/.*|fastify)$/.test(one.package ?? ''),
    );
    expect(toLines(wrong)).toEqual([]);
  });

  it('packages/shared, outside its tests, imports no other workspace', () => {
    const wrong = imports.filter(
      (one) =>
        one.workspace === 'packages/shared' &&
        one.package?.startsWith('@birdhub/') &&
        !(one.package === '@birdhub/testing' && isTest(one)),
    );
    expect(toLines(wrong)).toEqual([]);
  });

  it('packages/domain, outside its tests, imports only packages/shared of the hub', () => {
    const wrong = imports.filter(
      (one) =>
        one.workspace === 'packages/domain' &&
        one.package?.startsWith('@birdhub/') &&
        one.package !== '@birdhub/shared' &&
        !(one.package === '@birdhub/testing' && isTest(one)),
    );
    expect(toLines(wrong)).toEqual([]);
  });

  it('services, outside the single-process launcher, are imported by no package or other service', () => {
    const names = services.map((folder) => manifestOf(folder).name);
    const wrong = imports.filter(
      (one) =>
        product.includes(one.workspace) &&
        one.package !== undefined &&
        names.includes(one.package) &&
        one.file !== 'packages/launcher/src/single-process.ts',
    );
    expect(toLines(wrong)).toEqual([]);
  });

  it('packages and services, in relative imports, stay within their workspace', () => {
    // Commands run the launcher's set-up before any package is installed.
    const isSetUp = ({ file }: Import) => file === 'packages/cli/hub.mjs';
    const wrong = imports.filter(
      (one) =>
        product.includes(one.workspace) &&
        one.package === undefined &&
        !join(dirname(one.file), one.specifier).startsWith(`${one.workspace}/`) &&
        !isSetUp(one),
    );
    expect(toLines(wrong)).toEqual([]);
  });

  it.each(workspaces)('%s, declares the packages that it imports', (folder) => {
    const { name, dependencies, devDependencies, optionalDependencies } = manifestOf(folder);
    const own = Object.keys({ ...dependencies, ...optionalDependencies });
    const isProduct = product.includes(folder);
    const wrong = imports.filter((one) => {
      if (one.workspace !== folder || one.package === undefined) return false;
      if (one.package === name || everywhere.includes(one.package) || !isForeign(one.package)) return false;
      const isForDevelopment =
        !isProduct || isTest(one) || one.file.includes('.config.') || one.file.endsWith('/source-thread.mjs');
      const declared = isForDevelopment ? [...own, ...Object.keys(devDependencies ?? {})] : own;
      return !declared.includes(one.package);
    });
    expect(toLines(wrong)).toEqual([]);
  });

  it.each(workspaces)('%s, declares only workspaces that it imports', (folder) => {
    const { dependencies, devDependencies, optionalDependencies } = manifestOf(folder);
    const declared = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
    const imported = imports.filter(({ workspace }) => workspace === folder).map((one) => one.package);
    expect(declared.filter((name) => name.startsWith('@birdhub/') && !imported.includes(name))).toEqual([]);
  });
});
