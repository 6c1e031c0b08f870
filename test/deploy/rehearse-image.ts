import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseDockerfile, type Stage } from './parse-dockerfile.js';
import { parseDockerignore } from './parse-dockerignore.js';
import { beginStage, copyInto, type MadeStage, readDebianPackages, runIn } from './stage-steps.js';

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

/**
 * Does what the Dockerfile says for one service, in a folder instead of a container: copies exactly what it copies and
 * runs its commands but those of the package manager. @throws when one of them fails
 */
export function rehearseImage({ service, folder, made = {} }: Rehearsal): RehearsedImage {
  const read = (name: string) => readFileSync(join(repository, name), 'utf8');
  const stages = parseDockerfile(read('deploy/Dockerfile'), { SERVICE: service });
  const isIgnored = parseDockerignore(read('.dockerignore'));
  const context = {
    repository,
    isIgnored,
    appOf: (name: string) => made[name] ?? join(make(name).root, 'app'),
    debianPackagesOf: (name: string) =>
      stages
        .find((stage) => stage.name === name)
        ?.steps.flatMap(({ text }) => readDebianPackages(text) ?? []) ?? [],
  };
  const done = new Map<string, MadeStage>();

  const make = (name: string): MadeStage => {
    const stage = stages.find((one) => one.name === name);
    const result = done.get(name) ?? makeStage(stage);
    done.set(name, result);
    return result;
  };
  const makeStage = (stage: Stage | undefined): MadeStage => {
    if (!stage) throw new Error('the Dockerfile names a stage that it has not');
    const parent = stages.some(({ name }) => name === stage.from) ? make(stage.from) : undefined;
    const result = beginStage(join(folder, stage.name), parent);
    for (const { name, text } of stage.steps) {
      if (name === 'WORKDIR') result.workdir = text;
      if (name === 'ENV') Object.assign(result.env, parseEnv(text));
      if (name === 'COPY') copyInto(result, text, context);
      if (name === 'RUN') runIn(result, text);
      result.said.set(name, text);
    }
    return result;
  };
  return describeImage(make(stages.at(-1)?.name ?? ''));
}

const parseEnv = (text: string) =>
  Object.fromEntries(text.split(/\s+/).map((pair) => pair.split('=', 2) as [string, string]));

function describeImage({ root, workdir, env, debianPackages, said }: MadeStage): RehearsedImage {
  const readList = (name: string): string[] => {
    const list = /\[.*\]$/.exec(said.get(name) ?? '')?.[0];
    if (list === undefined) throw new Error(`the Dockerfile has no ${name} in the form of a list`);
    return JSON.parse(list);
  };
  const [healthcheck, command] = [readList('HEALTHCHECK'), readList('CMD')];
  return { root, workdir: join(root, workdir), env, healthcheck, command, debianPackages };
}
