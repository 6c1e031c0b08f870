import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRunning, type ProcessIdentity } from '@birdhub/launcher/processes';
import type { HubState } from '@birdhub/launcher/state-file';
import { startTestHub } from '@birdhub/testing/hub';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Launcher, launch, stopLaunchers, waitUntilReady } from './fixtures/launcher-process.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'birdhub-launcher-'));
});

afterEach(async () => {
  await stopLaunchers();
  rmSync(folder, { recursive: true });
});

const readState = (): HubState => JSON.parse(readFileSync(join(folder, 'hub-state.json'), 'utf8'));

function processOf(name: string): ProcessIdentity {
  const found = readState().processes.find((one) => one.name === name)?.process;
  if (found == null) throw new Error(`${name} does not run`);
  return found;
}

const allProcesses = () =>
  readState().processes.flatMap(({ process }) => (process === null ? [] : [process]));

function eventsOf(launcher: Launcher): string[] {
  const lines = launcher
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{"msg"'));
  return lines.map((line) => JSON.parse(line)).map(({ msg, name }) => `${name} ${msg}`);
}

describe('startHub', () => {
  it('on SIGTERM with a request in flight, completes it, stops the gateway first and leaves no process', async () => {
    const launcher = await launch(folder);
    const address = await waitUntilReady(launcher);
    const running = allProcesses();
    const answer = fetch(new URL('/slow', address)).then((response) => response.text());
    await vi.waitUntil(async () => (await fetch(new URL('/environment', address))).ok);
    launcher.process.kill('SIGTERM');
    launcher.process.kill('SIGTERM');
    await once(launcher.process, 'close');
    expect(await answer).toBe('answered');
    expect(eventsOf(launcher).slice(0, 3)).toEqual(['gateway stopping', 'gateway stopped', 'inner stopping']);
    expect(running).toHaveLength(7);
    expect(running.filter(isRunning)).toEqual([]);
    expect(launcher.process.exitCode).toBe(0);
  });

  it('on a second start with the same data, names process and address and changes nothing', async () => {
    const first = await launch(folder);
    const address = await waitUntilReady(first);
    const before = readFileSync(join(folder, 'hub-state.json'), 'utf8');
    const second = await launch(folder);
    await once(second.process, 'close');
    expect(second.process.exitCode).toBe(1);
    expect(second.output()).toContain(
      `already running with the data in ${folder}: process ${first.process.pid} at ${address}.`,
    );
    expect(readFileSync(join(folder, 'hub-state.json'), 'utf8')).toBe(before);
    expect((await fetch(new URL('/api/ui/readiness', address))).status).toBe(200);
  });

  it('after its launcher was killed, ends leftover services and works on the same data', async () => {
    const first = await launch(folder);
    await waitUntilReady(first);
    const before = readState();
    const postgres = processOf('postgres');
    first.process.kill('SIGKILL');
    await once(first.process, 'exit');
    expect(isRunning(postgres)).toBe(true);
    const second = await launch(folder);
    await waitUntilReady(second);
    const left = before.processes.flatMap(({ process }) => (process === null ? [] : [process]));
    expect(left.filter(isRunning)).toEqual([]);
  });

  it('after a service and a server were killed, restarts them at the same addresses', async () => {
    const launcher = await launch(folder);
    const address = await waitUntilReady(launcher);
    const before = { gateway: processOf('gateway'), nats: processOf('nats') };
    for (const { pid } of Object.values(before)) process.kill(pid, 'SIGKILL');
    await vi.waitUntil(
      () => {
        const state = readState().processes;
        const pidOf = (name: string) => state.find((one) => one.name === name)?.process?.pid;
        return (
          ![before.gateway.pid, undefined].includes(pidOf('gateway')) &&
          ![before.nats.pid, undefined].includes(pidOf('nats'))
        );
      },
      { interval: 50 },
    );
    await vi.waitFor(async () =>
      expect((await fetch(new URL('/api/ui/readiness', address))).status).toBe(200),
    );
    expect(launcher.output()).toContain('child exited unexpectedly, restarting');
  });

  it('with a port that is taken, names it in one sentence and leaves nothing running', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    const port = typeof address === 'object' ? String(address?.port) : '';
    const launcher = await launch(folder, { PORT: port });
    await once(launcher.process, 'close');
    other.close();
    expect(launcher.process.exitCode).toBe(1);
    expect(launcher.output()).toMatch(
      new RegExp(`^LauncherError: Port ${port} .* set PORT to another one\\.$`, 'm'),
    );
    expect(() => readState()).toThrow(/ENOENT/);
  });

  it('with a database that is not reached, reports it in one sentence without its password', async () => {
    const env = { DATABASE_URL: 'postgresql://birds:secret@127.0.0.1:1/birdhub' };
    await expect(startTestHub({ dataDir: folder, env })).rejects.toThrow(
      /^[\w ]+: The database cannot be migrated: connect ECONNREFUSED 127\.0\.0\.1:1\n$/,
    );
  });
});
