import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeDataFolders, pathsIn } from './data-folder.js';
import { startHub } from './hub.js';
import { createLog } from './log.js';
import { readOptions, repository } from './options.js';
import { identifyProcess } from './processes.js';
import { ServiceAddresses } from './service-addresses.js';
import { readState, StateFile } from './state-file.js';

describe.skipIf(process.platform !== 'linux')('a full disk', () => {
  let folder: string;
  let lines: string[];
  const log = createLog('launcher', (line) => lines.push(line));
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'full-disk-'));
    lines = [];
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Makes each write to a file fail with ENOSPC. */
  const fill = (file: string) => symlinkSync('/dev/full', file);

  it('while the hub runs, keeps the last state on disk and stores the next one when there is space again', () => {
    const file = join(folder, 'state.json');
    const self = identifyProcess(process.pid);
    if (self === undefined) throw new Error('this process cannot identify itself');
    const state = new StateFile(file, self, null, log);
    fill(`${file}.new`);
    state.note({ name: 'query', readyUrls: [] }, process.pid);
    expect(readState(file)?.processes).toEqual([]);
    expect(lines.join('')).toMatch(/"warn".*ENOSPC.*the state of the processes is not stored/);
    rmSync(`${file}.new`);
    state.noteReady(new Date(0), 'http://localhost:8080/');
    expect(readState(file)).toMatchObject({ processes: [{ name: 'query', process: self }] });
  });

  it('when a service reports its ports, leaves them known', () => {
    const portsFile = join(folder, 'ports.json');
    fill(`${portsFile}.new`);
    const addresses = new ServiceAddresses({
      portsFile,
      socketFolder: folder,
      port: 0,
      opsHost: '127.0.0.1',
      opsPorts: {},
      log,
    });
    addresses.note({ listening: [{ name: 'query', opsPort: 9_999 }] });
    expect(addresses.readyUrls(['query'])).toEqual(['http://127.0.0.1:9999/readyz']);
    expect(lines.join('')).toMatch(/"warn".*ENOSPC.*the ports of the services are not stored/);
  });

  it('at the start, is a sentence instead of a stack', async () => {
    const options = readOptions({ DATA_DIR: folder, PORT: '0' }, repository);
    await makeDataFolders(options, log);
    fill(`${pathsIn(options.dataDir).lock}.${process.pid}`);
    const starting = startHub({
      options,
      env: {},
      findProgram: () => expect.fail('started a program'),
      migrate: () => expect.fail('migrated'),
      log,
      writeLine: () => undefined,
    });
    await expect(starting).rejects.toMatchObject({
      name: 'LauncherError',
      message: `Birdhub cannot start: the disk of ${options.dataDir} is full.`,
    });
  });
});
