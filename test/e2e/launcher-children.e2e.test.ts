import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ChildService } from '@birdhub/launcher/child-service';
import { findLockHolder, LockHeldError, takeLock } from '@birdhub/launcher/instance-lock';
import { createLog } from '@birdhub/launcher/log';
import { identifyProcess, isRunning } from '@birdhub/launcher/processes';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const crashTwice = fileURLToPath(new URL('./fixtures/crash-twice.mjs', import.meta.url));
let folder: string;
let logged: { msg: string; restart_in_ms?: number }[];

const log = createLog('test', (line) => logged.push(JSON.parse(line)));

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'birdhub-launcher-'));
  logged = [];
});

afterEach(() => rmSync(folder, { recursive: true }));

function superviseNode(args: string[], waitMs = 2000): ChildService {
  return new ChildService({
    name: 'child',
    command: process.execPath,
    args,
    stopSteps: [{ signal: 'SIGTERM', waitMs }],
    log,
    onLine: () => undefined,
  });
}

describe('ChildService', () => {
  it('a program that crashes twice, is restarted with growing delays and a log line for each crash', async () => {
    const file = join(folder, 'starts');
    const child = superviseNode([crashTwice, file]);
    await child.start();
    await vi.waitUntil(() => countStarts(file) >= 3);
    await child.stop();
    expect(logged.map((line) => line.restart_in_ms)).toEqual([500, 1000]);
    expect(child.pid).toBeUndefined();
  });

  it('a killed child, is restarted as another process', async () => {
    const child = superviseNode(['-e', 'setInterval(() => {}, 1000)']);
    await child.start();
    const before = child.pid ?? 0;
    process.kill(before, 'SIGKILL');
    await vi.waitUntil(() => child.pid !== undefined && child.pid !== before);
    await child.stop();
    expect(logged).toMatchObject([{ signal: 'SIGKILL', restart_in_ms: 500 }]);
  });

  it('a child that ignores the signal, is killed after its timeout', async () => {
    const child = superviseNode(['-e', `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)`], 300);
    await child.start();
    const identity = identifyProcess(child.pid ?? 0);
    await sleep(300);
    await child.stop();
    expect(identity !== undefined && isRunning(identity)).toBe(false);
  });

  it('a child that waits for its restart, stays down after a stop', async () => {
    const child = superviseNode(['-e', 'process.exit(1)']);
    await child.start();
    await vi.waitUntil(() => logged.length > 0);
    await child.stop();
    await sleep(800);
    expect(logged).toHaveLength(1);
  });

  it('a program that does not exist, is retried and named in the last lines', async () => {
    const child = new ChildService({
      name: 'child',
      command: '/not/there',
      args: [],
      stopSteps: [],
      log,
      onLine: () => undefined,
    });
    await child.start();
    await vi.waitUntil(() => child.crashesInRow >= 2);
    await child.stop();
    expect(child.lastLines.join()).toContain('ENOENT');
  });
});

const countStarts = (file: string) =>
  existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').length : 0;

describe('takeLock', () => {
  it('a lock whose holder runs, is refused and left unchanged', () => {
    const file = join(folder, 'lock');
    const lock = takeLock(file, { address: 'http://localhost:8080/' });
    const before = readFileSync(file, 'utf8');
    expect(() => takeLock(file)).toThrow(LockHeldError);
    expect(readFileSync(file, 'utf8')).toBe(before);
    expect(findLockHolder(file)).toMatchObject({ pid: process.pid, address: 'http://localhost:8080/' });
    lock.release();
    expect(findLockHolder(file)).toBeUndefined();
  });

  it('a lock of a killed process, is taken over', async () => {
    const file = join(folder, 'lock');
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    await once(child, 'spawn');
    writeFileSync(file, JSON.stringify(identifyProcess(child.pid ?? 0)));
    child.kill('SIGKILL');
    await once(child, 'exit');
    takeLock(file).release();
    expect(findLockHolder(file)).toBeUndefined();
  });

  it('a lock whose process id belongs to another process by now, is taken over', () => {
    const file = join(folder, 'lock');
    writeFileSync(file, JSON.stringify({ pid: process.ppid, startedAt: 'before/1' }));
    const lock = takeLock(file);
    expect(findLockHolder(file)?.pid).toBe(process.pid);
    lock.release();
  });

  it('a truncated lock file, is taken over', () => {
    const file = join(folder, 'lock');
    writeFileSync(file, '{"pid": 1');
    const lock = takeLock(file);
    expect(findLockHolder(file)?.pid).toBe(process.pid);
    lock.release();
  });
});
