import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { waitReady } from '@birdhub/launcher/lifecycle';
import { drawPort, listenOnAny } from '@birdhub/shared/ports';
import type { RehearsedImage } from './rehearse-image.js';

/** The environment of a container. */
export interface ContainerEnvironment {
  /** The folder that the container may write to. */
  readonly folder: string;
  readonly databaseUrl: string;
  readonly natsUrl: string;
}

// The user of a container does not own the files of the image.
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
const nowhere = 'http://127.0.0.1:9';

/** Runs a program of an image as the user of a container and returns its output. @throws when it fails */
export async function runInImage(
  image: RehearsedImage,
  args: readonly string[],
  given: ContainerEnvironment,
): Promise<string> {
  const env = environmentOf(image, given);
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    cwd: image.workdir,
    env,
    ...nobody,
  });
  return stdout;
}

/** Starts the command of an image, waits until its health check succeeds, stops it, and returns its exit code. */
export function checkImage(image: RehearsedImage, given: ContainerEnvironment): Promise<number | null> {
  return listenOnAny((opsPort) => tryOn(opsPort, image, given), drawPort());
}

/** @throws with the code EADDRINUSE when another program has the port */
async function tryOn(
  opsPort: number,
  image: RehearsedImage,
  given: ContainerEnvironment,
): Promise<number | null> {
  const ports = { HOST: '127.0.0.1', PORT: '0', OPS_HOST: '127.0.0.1', OPS_PORT: String(opsPort) };
  const options = { cwd: image.workdir, env: { ...environmentOf(image, given), ...ports }, ...nobody };
  const child = spawn(process.execPath, image.command.slice(1), {
    ...options,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const ended = once(child, 'exit');
  const isReady = () =>
    promisify(execFile)(process.execPath, image.healthcheck.slice(1), options).then(
      () => true,
      () => false,
    );
  const findFailure = () => (child.exitCode === null ? undefined : output);
  await waitReady({ what: 'The service', isReady, findFailure, timeoutMs: 60_000 }).catch(
    (error: unknown) => {
      child.kill('SIGKILL');
      if (output.includes('EADDRINUSE')) throw Object.assign(new Error(output), { code: 'EADDRINUSE' });
      throw error;
    },
  );
  child.kill('SIGTERM');
  const [code] = await ended;
  return code;
}

function environmentOf(image: RehearsedImage, { folder, databaseUrl, natsUrl }: ContainerEnvironment) {
  const place = (name: string) => {
    mkdirSync(join(folder, name), { recursive: true });
    chmodSync(join(folder, name), 0o777);
    return join(folder, name);
  };
  const secret = (name: string, value: string) => {
    writeFileSync(join(place('secrets'), name), `${value}\n`);
    return join(folder, 'secrets', name);
  };
  const urls = ['INGEST', 'QUERY', 'REPORTS', 'SYSTEM'].map((name) => [`${name}_URL`, nowhere]);
  return {
    ...image.env,
    ...Object.fromEntries(urls),
    PATH: process.env['PATH'],
    DATABASE_URL_FILE: secret('database_url', databaseUrl),
    NATS_URL_FILE: secret('nats_url', natsUrl),
    INTERNAL_SECRET_FILE: secret('internal_secret', 'secret'),
    SECRETS_KEY_FILE: secret('secrets_key', 'key'),
    DATA_DIR: place('data'),
    RECORDINGS_DIR: place('recordings'),
  };
}
