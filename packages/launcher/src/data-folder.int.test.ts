import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeDataFolders } from './data-folder.js';
import { createLog } from './log.js';

const lines: string[] = [];
const log = createLog('test', (line) => lines.push(line));
let above: string;
const modeOf = (path: string) => (statSync(path).mode & 0o7777).toString(8);

beforeEach(() => {
  lines.length = 0;
  above = mkdtempSync(join(tmpdir(), 'birdhub-folders-'));
});
afterEach(() => rmSync(above, { recursive: true }));

describe('makeDataFolders', () => {
  it('missing folders, are created private, and the parent folder is unchanged', async () => {
    const dataDir = join(above, 'data');
    const recordingsDir = join(dataDir, 'recordings');
    await makeDataFolders({ dataDir, recordingsDir }, log);
    expect([above, dataDir, recordingsDir].map(modeOf)).toEqual(['700', '750', '750']);
    expect(lines).toEqual([]);
  });

  it('a data folder of an earlier version, becomes private, and the recordings folder is unchanged', async () => {
    const dataDir = join(above, 'data');
    const recordingsDir = join(dataDir, 'recordings');
    mkdirSync(recordingsDir, { recursive: true });
    for (const folder of [dataDir, recordingsDir]) chmodSync(folder, 0o2777);
    await makeDataFolders({ dataDir, recordingsDir }, log);
    expect([dataDir, recordingsDir].map(modeOf)).toEqual(['2750', '2777']);
    expect(lines).toHaveLength(1);
  });

  it('a data folder that is private already, keeps its mode', async () => {
    await makeDataFolders({ dataDir: above }, log);
    expect(modeOf(above)).toBe('700');
  });

  it('a folder with the sticky bit, is reported and left unchanged', async () => {
    chmodSync(above, 0o1777);
    await makeDataFolders({ dataDir: above }, log);
    expect(modeOf(above)).toBe('1777');
    expect(lines.join()).toContain('cannot be changed');
  });
});
