import { type ChildProcess, spawn } from 'node:child_process';
import { type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';
import type { ChildService } from './child-service.js';
import type { Log } from './log.js';

/** Services are restarted after this time without changes, as a build writes many files. */
const quietMs = 300;

/** Rebuilds on each change of the sources and restarts the affected services. */
export function watchBuilds(
  repository: string,
  children: readonly ChildService[],
  log: Log,
): { close(): void } {
  const changed = new Set<ChildService>();
  let timer: NodeJS.Timeout | undefined;
  const restartChanged = () => {
    for (const child of changed) {
      log.info({ child: child.name }, 'program changed, restarting');
      child
        .restart()
        .catch((error: unknown) =>
          log.error({ child: child.name, err: String(error) }, 'service not restarted'),
        );
    }
    changed.clear();
  };
  const scheduleRestart = (affected: readonly ChildService[]) => {
    for (const child of affected) changed.add(child);
    clearTimeout(timer);
    timer = setTimeout(restartChanged, quietMs);
  };
  const watchers = foldersOf(repository, children).map(({ folder, affected }) =>
    watchFolder(folder, () => scheduleRestart(affected)),
  );
  const compiler = startCompiler(repository);
  return {
    close: () => {
      clearTimeout(timer);
      for (const watcher of watchers) watcher.close();
      stopCompiler(compiler);
    },
  };
}

/** Returns the folders of compiled code and the services to restart for each; shared code affects all services. */
function foldersOf(repository: string, children: readonly ChildService[]) {
  const shared = ['shared', 'domain'].map((name) => ({
    folder: join(repository, 'packages', name, 'dist'),
    affected: children,
  }));
  const services = ['gateway', 'ingest', 'query', 'reports', 'system'].map((name) => ({
    folder: join(repository, 'services', name, 'dist'),
    affected: children.filter((child) => child.name === name || child.name === 'services'),
  }));
  return [...shared, ...services];
}

function watchFolder(folder: string, onChange: () => void): FSWatcher {
  return watch(folder, { recursive: true }, (_event, file) => {
    if (file?.endsWith('.js')) onChange();
  });
}

// The script that starts the compiler does not forward signals, so both run in one process group.
function startCompiler(repository: string): ChildProcess {
  const compiler = join(repository, 'node_modules/typescript/bin/tsc');
  const args = [compiler, '-b', '--watch', '--preserveWatchOutput'];
  return spawn(process.execPath, args, {
    cwd: repository,
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}

function stopCompiler({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, 'SIGTERM');
}
