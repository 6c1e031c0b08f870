import { statMediaFile } from '@birdhub/domain/media';
import type { StoredRecording } from './stored-recordings.store.js';

/** A recording and the bytes of its file. */
export interface MeasuredRecording extends StoredRecording {
  readonly sizeBytes: number;
}

/** Looks on the disk for files whose size nobody wrote down; what has not arrived counts as no file. */
export function measureFiles(
  recordingsDir: string,
  recordings: readonly StoredRecording[],
): Promise<MeasuredRecording[]> {
  return Promise.all(
    recordings.map(async (recording) => {
      const { hasFile, sizeBytes, videoPath } = recording;
      const size = hasFile ? (sizeBytes ?? (await statMediaFile(recordingsDir, videoPath))?.size) : undefined;
      return { ...recording, hasFile: size !== undefined, sizeBytes: size ?? 0 };
    }),
  );
}
