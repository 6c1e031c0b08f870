import {
  type Author,
  type PostedDetection,
  type PostedRecording,
  RecordingWriter,
} from '@birdhub/domain/recordings';
import { SettingsReader } from '@birdhub/domain/settings';
import { createSpeciesDirectory, type SpeciesDirectory } from '@birdhub/domain/species';
import { ChangeNotifier } from '@birdhub/shared/db';
import { systemClock } from '@birdhub/shared/time';
import type pg from 'pg';
import { pino } from 'pino';

/** A writer of recordings on a test database, and its dependencies. */
export interface TestWriter {
  readonly writer: RecordingWriter;
  readonly directory: SpeciesDirectory;
  readonly settings: SettingsReader;
  readonly notifier: ChangeNotifier;
}

/** Creates a writer with the default settings in UTC. */
export function createTestWriter(pool: pg.Pool): TestWriter {
  const log = pino({ level: 'silent' });
  const directory = createSpeciesDirectory(pool);
  const settings = new SettingsReader({ pool, timezone: 'UTC', log });
  const notifier = new ChangeNotifier(pool, log);
  const writer = new RecordingWriter({ pool, directory, settings, notifier, clock: systemClock });
  return { writer, directory, settings, notifier };
}

/** The author of changes in tests. */
export const testAuthor: Author = { role: 'contributor', requestId: 'test' };

/** A posted detection; by default a great tit on video in the first two seconds. */
export function aDetection(given: Partial<PostedDetection> = {}): PostedDetection {
  return {
    speciesName: 'Great Tit',
    confidence: 0.9,
    startOffset: 0,
    endOffset: 2,
    source: 'video',
    trackId: null,
    provider: null,
    frames: [],
    extra: null,
    ...given,
  };
}

/** A posted recording; by default ten seconds with one detection. */
export function aRecording(given: Partial<PostedRecording> = {}): PostedRecording {
  const start = given.start ?? Date.UTC(2026, 4, 1, 8);
  return {
    processorVersion: '1',
    start,
    end: start + 10_000,
    videoPath: `${new Date(start).toISOString()}.mp4`,
    cameraId: 'garden',
    spectrogramPath: null,
    triggerSource: null,
    extra: null,
    detections: [aDetection()],
    ...given,
  };
}
