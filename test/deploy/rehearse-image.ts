import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseDockerfile, type Stage } from './parse-dockerfile.js';
import { parseDockerignore } from './parse-dockerignore.js';
import { applyCopy, applyRun, type BuiltStage, createStage, readDebianPackages } from './stage-steps.js';

const repository = fileURLToPath(new URL('../../', import.meta.url));

/** The contents and settings of an image, built in a folder. */
export interface RehearsedImage {
  /** The root of its file system, without the files of Debian and Node.js. */
  readonly root: string;
  /** The working directory of its commands, below `root`. */
  readonly workdir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly healthcheck: readonly string[];
  readonly command: readonly string[];
  /** Names of the Debian packages that it installs. */
  readonly debianPackages: readonly string[];
}

/** Options of {@link rehearseImage}. */
export interface Rehearsal {
  readonly service: string;
  readonly folder: string;
  /** Folders to use as `/app` of stages instead of building these stages. */
  readonly built?: Readonly<Record<string, string>>;
}

/**
 * Performs the steps of the Dockerfile for one service in a folder: copies what it copies and runs its commands, except
 * the installation of Debian packages. @throws when a command fails
 */
export function rehearseImage({ service, folder, built = {} }: Rehearsal): RehearsedImage {
  const read = (name: string) => readFileSync(join(repository, name), 'utf8');
  const stages = parseDockerfile(read('deploy/Dockerfile'), { SERVICE: service });
  const isIgnored = parseDockerignore(read('.dockerignore'));
  const context = {
    repository,
    isIgnored,
    appOf: (name: string) => built[name] ?? join(build(name).root, 'app'),
    debianPackagesOf: (name: string) =>
      stages
        .find((stage) => stage.name === name)
        ?.steps.flatMap(({ text }) => readDebianPackages(text) ?? []) ?? [],
  };
  const stagesDone = new Map<string, BuiltStage>();

  const build = (name: string): BuiltStage => {
    const stage = stages.find((one) => one.name === name);
    const result = stagesDone.get(name) ?? buildStage(stage);
    stagesDone.set(name, result);
    return result;
  };
  const buildStage = (stage: Stage | undefined): BuiltStage => {
    if (!stage) throw new Error('the Dockerfile refers to a stage that does not exist');
    const parent = stages.some(({ name }) => name === stage.from) ? build(stage.from) : undefined;
    const result = createStage(join(folder, stage.name), parent);
    for (const { name, text } of stage.steps) {
      if (name === 'WORKDIR') result.workdir = text;
      if (name === 'ENV') Object.assign(result.env, parseEnv(text));
      if (name === 'COPY') applyCopy(result, text, context);
      if (name === 'RUN') applyRun(result, text);
      result.instructions.set(name, text);
    }
    return result;
  };
  return describeImage(build(stages.at(-1)?.name ?? ''));
}

const parseEnv = (text: string) =>
  Object.fromEntries(text.split(/\s+/).map((pair) => pair.split('=', 2) as [string, string]));

function describeImage({ root, workdir, env, debianPackages, instructions }: BuiltStage): RehearsedImage {
  const readList = (name: string): string[] => {
    const list = /\[.*\]$/.exec(instructions.get(name) ?? '')?.[0];
    if (list === undefined) throw new Error(`the Dockerfile has no ${name} in exec form`);
    return JSON.parse(list);
  };
  const [healthcheck, command] = [readList('HEALTHCHECK'), readList('CMD')];
  return { root, workdir: join(root, workdir), env, healthcheck, command, debianPackages };
}
