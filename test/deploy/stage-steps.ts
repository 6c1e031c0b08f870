import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, statSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { parseCopy } from './parse-dockerfile.js';

/** A stage of a Dockerfile, built in a folder up to the current instruction. */
export interface BuiltStage {
  readonly root: string;
  workdir: string;
  readonly env: Record<string, string>;
  readonly debianPackages: string[];
  /** The arguments of each instruction; the last one wins. */
  readonly instructions: Map<string, string>;
}

/** The sources of `COPY`. */
export interface CopySources {
  readonly repository: string;
  readonly isIgnored: (path: string) => boolean;
  /** The folder of `/app` of another stage. */
  readonly appOf: (stage: string) => string;
  /** The Debian packages that another stage installs. */
  readonly debianPackagesOf: (stage: string) => readonly string[];
}

/** Returns the Debian packages that a command installs; undefined for any other command. */
export function readDebianPackages(command: string): string[] | undefined {
  return /apt-get install -y --no-install-recommends ([\w -]+?) &&/.exec(command)?.[1]?.split(' ');
}

/** Creates a stage as a copy of its parent, or an empty one. */
export function createStage(root: string, parent: BuiltStage | undefined): BuiltStage {
  mkdirSync(root, { recursive: true });
  if (!parent) return { root, workdir: '/', env: {}, debianPackages: [], instructions: new Map() };
  cpSync(parent.root, root, { recursive: true, verbatimSymlinks: true });
  const { workdir, env, debianPackages, instructions } = parent;
  return {
    root,
    workdir,
    env: { ...env },
    debianPackages: [...debianPackages],
    instructions: new Map(instructions),
  };
}

/** Performs `COPY`. For files that another stage takes from Debian packages, only the package names are recorded. */
export function applyCopy(
  stage: BuiltStage,
  text: string,
  { repository, isIgnored, appOf, debianPackagesOf }: CopySources,
): void {
  const { from, sources, target } = parseCopy(text);
  if (from && sources.every((source) => !source.startsWith('/app/') && source !== '/app')) {
    stage.debianPackages.push(...debianPackagesOf(from));
    return;
  }
  const filter = (path: string) => from !== undefined || !isIgnored(relative(repository, path));
  for (const source of sources) {
    const file = from ? join(appOf(from), relative('/app', source)) : join(repository, source);
    const isInto = target.endsWith('/') && !statSync(file).isDirectory();
    const to = join(stage.root, resolve(stage.workdir, target), isInto ? basename(file) : '');
    cpSync(file, to, { recursive: true, verbatimSymlinks: true, filter });
  }
}

/** Performs `RUN`. Debian packages are not installed; only their names are recorded. */
export function applyRun(stage: BuiltStage, text: string): void {
  const installed = readDebianPackages(text);
  if (installed) {
    stage.debianPackages.push(...installed);
    return;
  }
  const cwd = join(stage.root, stage.workdir);
  mkdirSync(cwd, { recursive: true });
  const { PATH, HOME, TMPDIR = '/tmp' } = process.env;
  // Without the cache mount, npm uses the cache of the current user.
  const command = text.replace(/^--mount=\S+ /, '');
  const env = { ...stage.env, PATH, HOME, TMPDIR, npm_config_loglevel: 'error' };
  execFileSync('/bin/sh', ['-ec', command], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
}
