import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, statSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { parseCopy } from './parse-dockerfile.js';

/** A stage of a Dockerfile in a folder, as far as it has come. */
export type MadeStage = {
  readonly root: string;
  workdir: string;
  readonly env: Record<string, string>;
  readonly debianPackages: string[];
  /** The newest text of each instruction. */
  readonly said: Map<string, string>;
};

/** Where copies come from. */
export type CopySources = {
  readonly repository: string;
  readonly isIgnored: (path: string) => boolean;
  /** The `/app` of another stage. */
  readonly appOf: (stage: string) => string;
  /** What another stage installs by the package manager of the system. */
  readonly debianPackagesOf: (stage: string) => readonly string[];
};

/** The names that a command installs by the package manager of the system; undefined when it does something else. */
export function readDebianPackages(command: string): string[] | undefined {
  return /apt-get install -y --no-install-recommends ([\w -]+?) &&/.exec(command)?.[1]?.split(' ');
}

/** A stage that begins as another one ended, or with nothing. */
export function beginStage(root: string, parent: MadeStage | undefined): MadeStage {
  mkdirSync(root, { recursive: true });
  if (!parent) return { root, workdir: '/', env: {}, debianPackages: [], said: new Map() };
  cpSync(parent.root, root, { recursive: true, verbatimSymlinks: true });
  const { workdir, env, debianPackages, said } = parent;
  return { root, workdir, env: { ...env }, debianPackages: [...debianPackages], said: new Map(said) };
}

/** What `COPY` says; of what another stage took out of Debian's packages only their names are noted. */
export function copyInto(
  stage: MadeStage,
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

/** What `RUN` says; of what the package manager of the system installs only the names are noted. */
export function runIn(stage: MadeStage, text: string): void {
  const installed = readDebianPackages(text);
  if (installed) {
    stage.debianPackages.push(...installed);
    return;
  }
  const cwd = join(stage.root, stage.workdir);
  mkdirSync(cwd, { recursive: true });
  const { PATH, HOME, TMPDIR = '/tmp' } = process.env;
  // In the place of the builder's cache is that of whoever runs this.
  const command = text.replace(/^--mount=\S+ /, '');
  const env = { ...stage.env, PATH, HOME, TMPDIR, npm_config_loglevel: 'error' };
  execFileSync('/bin/sh', ['-ec', command], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
}
