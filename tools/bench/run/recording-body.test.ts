import { describe, expect, it } from 'vitest';
import { drawNewRecording, toBody } from './recording-body.js';

const recordings = Array.from({ length: 3_000 }, (_, number) => drawNewRecording(number));
const starts = recordings.map(({ start_time }) => Date.parse(start_time));

describe('drawNewRecording', () => {
  it('with the same number, gives the same recording', () => {
    expect(drawNewRecording(17)).toEqual(recordings[17]);
  });

  it('over all recordings, gives different keys', () => {
    const keys = recordings.map(({ camera_id, video_path }) => `${camera_id} ${video_path}`);
    expect(new Set(keys).size).toBe(recordings.length);
  });

  it('in sequence, gives rising start times except for one in twenty that is late', () => {
    const backwards = starts.filter((start, index) => start < (starts[index - 1] ?? 0)).length;
    expect(backwards / starts.length).toBeGreaterThan(0.03);
    expect(backwards / starts.length).toBeLessThan(0.07);
  });

  it('over more than a day, gives start times in the daytime', () => {
    const hours = starts.map((start) => new Date(start).getUTCHours());
    expect([Math.min(...hours), Math.max(...hours)]).toEqual([7, 15]);
  });

  it('in each recording, gives three detections within it', () => {
    for (const { start_time, end_time, species } of recordings) {
      const length = (Date.parse(end_time) - Date.parse(start_time)) / 1000;
      expect(species.length).toBe(3);
      expect(species.every((row) => row.start_time < row.end_time && row.end_time <= length)).toBe(true);
    }
  });
});

describe('toBody', () => {
  it('when parsed, is the recording with 30 boxes for each detection', () => {
    const [recording] = recordings;
    if (!recording) throw new Error('no recording');
    const species = recording.species.map((row) => ({ ...row, frames: JSON.parse(row.frames) }));
    const body = JSON.parse(toBody(recording));
    expect(body).toEqual({ processor_version: 'bench', ...recording, species });
    expect(body.species.map((row: { frames: unknown[] }) => row.frames.length)).toEqual([30, 30, 30]);
  });
});
