import { resolve } from 'node:path';
import {
  createFileRemover,
  createRecordingWriter,
  type FileRemover,
  type RecordingWriter,
} from '@birdhub/domain/recordings';
import type { SettingsReader } from '@birdhub/domain/settings';
import type { SpeciesDirectory } from '@birdhub/domain/species';
import { type ReadFreeBytes, readFreeBytesOf } from '@birdhub/domain/storage';
import type { Bell } from '@birdhub/shared/db';
import type { Clock } from '@birdhub/shared/time';
import type pg from 'pg';
import type { Logger } from 'pino';
import { createRetentionWatch } from './retention/retention-watch.js';

/** Where the files of recordings are, and who writes of them. */
export interface Storage {
  readonly recordingsDir: string;
  readonly ffprobePath: string;
  readonly writer: RecordingWriter;
  readonly files: FileRemover;
  readonly readFreeBytes: ReadFreeBytes;
  /** Whether space is lacking and nothing is left that may be cleared. */
  readonly isDiskFull: () => boolean;
}

/** What it is opened with. */
export interface StorageParts {
  readonly pool: pg.Pool;
  readonly bell: Bell;
  readonly directory: SpeciesDirectory;
  readonly settings: SettingsReader;
  readonly clock: Clock;
  readonly log: Logger;
  readonly config: {
    readonly dataDir: string;
    readonly recordingsDir?: string;
    readonly ffprobePath: string;
  };
}

/** Goes on removing files that were given up, and begins to watch age, number and the disk. */
export function openStorage(parts: StorageParts): Storage & { close(): Promise<void> } {
  const { pool, log, config } = parts;
  const dataDir = resolve(config.dataDir);
  const recordingsDir = resolve(config.recordingsDir ?? `${dataDir}/recordings`);
  const writer = createRecordingWriter(parts);
  const files = createFileRemover({ pool, recordingsDir, dataDir, log });
  const readFreeBytes = readFreeBytesOf(recordingsDir);
  const storage = { recordingsDir, writer, files, readFreeBytes };
  const watch = createRetentionWatch({ ...parts, ...storage });
  files.start();
  watch.start();
  const close = async () => {
    await Promise.all([watch.stop(), files.stop()]);
  };
  return { ...storage, ffprobePath: config.ffprobePath, isDiskFull: watch.isExhausted, close };
}
