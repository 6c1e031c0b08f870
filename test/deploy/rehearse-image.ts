import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readDockerIgnore } from './docker-ignore.js';
import { parseCopy, parseDockerfile, type Stage } from './parse-dockerfile.js';

const repository = fileURLToPath(new URL('../../', import.meta.url));

/** An image that was made in a folder. */
export type RehearsedImage = {
  /** What would be the root of its file system, but for what comes with Debian and Node.js. */
  readonly root: string;
  /** Where a command of it begins. */
  readonly workdir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly healthcheck: readonly string[];
  readonly command: readonly string[];
  /** What is installed by the system's package manager. */
  readonly debianPackages: readonly string[];
};

/** How the stages of the Dockerfile are made. */
export type Rehearsal = {
  readonly service: string;
  readonly folder: string;
  /** Folders that stand for the `/app` of stages, which are then not made. */
  readonly made?: Readonly<Record<string, string>>;
};

type Made = {
  root: string;
  workdir: string;
  env: Record<string, string>;
  debian: string[];
  last: Map<string, string>;
};

/**
 * Does what the Dockerfile says for one service, in a folder instead of a container: copies exactly what it copies and
 * runs its commands but those of the package manager. @throws when one of them fails
 */
export function rehearseImage({ service, folder, made = {} }: Rehearsal): RehearsedImage {
  const text = readFileSync(join(repository, 'deploy/Dockerfile'), 'utf8');
  const stages = parseDockerfile(text, { SERVICE: service });
  const done = new Map<string, Made>();
  const isIgnored = readDockerIgnore(join(repository, '.dockerignore'));
  const appOf = (name: string) => made[name] ?? join(make(name).root, 'app');

  const copy = (stage: Made, text: string) => {
    const { from, sources, target } = parseCopy(text);
    for (const source of sources) {
      const file = from ? join(appOf(from), relative('/app', source)) : join(repository, source);
      const isInto = target.endsWith('/') && !statSync(file).isDirectory();
      const to = join(stage.root, resolve(stage.workdir, target), isInto ? basename(file) : '');
      const filter = (path: string) => from !== undefined || !isIgnored(relative(repository, path));
      cpSync(file, to, { recursive: true, verbatimSymlinks: true, filter });
    }
  };

  const make = (name: string): Made => {
    const known = done.get(name);
    if (known) return known;
    const stage = stages.find((one) => one.name === name);
    if (!stage) throw new Error(`the Dockerfile has no stage ${name}`);
    const result = begin(stage);
    for (const step of stage.steps) {
      if (step.name === 'WORKDIR') result.workdir = step.text;
      if (step.name === 'ENV') Object.assign(result.env, parseEnv(step.text));
      if (step.name === 'COPY') copy(result, step.text);
      if (step.name === 'RUN') run(result, step.text.replace(/^--mount=\S+ /, ''));
      result.last.set(step.name, step.text);
    }
    done.set(name, result);
    return result;
  };

  const begin = ({ name, from }: Stage): Made => {
    const root = join(folder, name);
    mkdirSync(root, { recursive: true });
    if (!stages.some((one) => one.name === from)) {
      return { root, workdir: '/', env: {}, debian: [], last: new Map() };
    }
    const parent = make(from);
    cpSync(parent.root, root, { recursive: true, verbatimSymlinks: true });
    return {
      ...parent,
      root,
      env: { ...parent.env },
      debian: [...parent.debian],
      last: new Map(parent.last),
    };
  };

  const image = make(stages.at(-1)?.name ?? '');
  return {
    root: image.root,
    workdir: join(image.root, image.workdir),
    env: image.env,
    healthcheck: readList(image, 'HEALTHCHECK'),
    command: readList(image, 'CMD'),
    debianPackages: image.debian,
  };
}

const parseEnv = (text: string) =>
  Object.fromEntries(text.split(/\s+/).map((pair) => pair.split('=', 2) as [string, string]));

function run(stage: Made, command: string): void {
  const installed = /apt-get install -y --no-install-recommends ([\w -]+?) &&/.exec(command)?.[1];
  if (installed !== undefined) {
    stage.debian.push(...installed.split(' '));
    return;
  }
  const cwd = join(stage.root, stage.workdir);
  if (!existsSync(cwd)) mkdirSync(cwd, { recursive: true });
  const { PATH, HOME, TMPDIR = '/tmp' } = process.env;
  // Containers have a cache of their own between builds; here it is that of whoever runs this.
  const env = { ...stage.env, PATH, HOME, TMPDIR, npm_config_loglevel: 'error' };
  execFileSync('/bin/sh', ['-ec', command], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
}

function readList({ last }: Made, name: string): string[] {
  const list = /\[.*\]$/.exec(last.get(name) ?? '')?.[0];
  if (list === undefined) throw new Error(`the Dockerfile has no ${name} in the form of a list`);
  return JSON.parse(list);
}
