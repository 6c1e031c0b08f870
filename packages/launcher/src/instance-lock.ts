import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { identifyProcess, isRunning, type ProcessIdentity } from './processes.js';

/** The content of a lock file: its holder, and the address of the hub. */
export type LockHolder = ProcessIdentity & { readonly address?: string };

/** Thrown when a running process holds the lock. */
export class LockHeldError extends Error {
  readonly holder: LockHolder;
  constructor(file: string, holder: LockHolder) {
    super(`${file} is held by process ${holder.pid}`);
    this.holder = holder;
  }
}

/**
 * Takes the lock file until `release` is called. A stale one (kill -9, power loss) is taken over.
 * @throws LockHeldError when its holder is running
 */
export function takeLock(file: string, about: { address?: string } = {}): { release(): void } {
  const self = identifyProcess(process.pid);
  if (self === undefined) throw new Error('this process cannot identify itself');
  const content = JSON.stringify({ ...self, ...about });
  const draft = `${file}.${process.pid}`;
  try {
    writeFileSync(draft, content, { mode: 0o600 });
    claim(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
  return {
    release: () => {
      if (read(file) === content) rmSync(file, { force: true });
    },
  };
}

/** Returns the running process that holds the lock; undefined when it is free. */
export function findLockHolder(file: string): LockHolder | undefined {
  const holder = parse(read(file));
  return holder !== undefined && isRunning(holder) ? holder : undefined;
}

// Creating a hard link is atomic and fails when the name is taken, so only one of two starters succeeds.
function claim(draft: string, file: string): void {
  for (;;) {
    try {
      linkSync(draft, file);
      return;
    } catch (error) {
      if (!isCode(error, 'EEXIST')) throw error;
    }
    const holder = findLockHolder(file);
    if (holder !== undefined) throw new LockHeldError(file, holder);
    moveAside(file);
  }
}

// Another starter may have replaced the stale file since it was read; its lock is then put back.
function moveAside(file: string): void {
  const aside = `${file}.${process.pid}.stale`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if (isCode(error, 'ENOENT')) return;
    throw error;
  }
  if (findLockHolder(aside) !== undefined) linkSync(aside, file);
  rmSync(aside, { force: true });
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function parse(text: string | undefined): LockHolder | undefined {
  try {
    const holder: LockHolder = JSON.parse(text ?? 'null');
    return typeof holder?.pid === 'number' && typeof holder.startedAt === 'string' ? holder : undefined;
  } catch {
    return undefined;
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
