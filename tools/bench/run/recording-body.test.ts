import { describe, expect, it } from 'vitest';
import { drawNewRecording, toBody } from './recording-body.js';

const recordings = Array.from({ length: 3_000 }, (_, number) => drawNewRecording(number));
const starts = recordings.map(({ start_time }) => Date.parse(start_time));

describe('drawNewRecording', () => {
  it('number, drawn twice, gives the same recording', () => {
    expect(drawNewRecording(17)).toEqual(recordings[17]);
  });

  it('keys, of all recordings, differ', () => {
    const keys = recordings.map(({ camera_id, video_path }) => `${camera_id} ${video_path}`);
    expect(new Set(keys).size).toBe(recordings.length);
  });

  it('starts, of recordings in a row, go up but for one in twenty that is late', () => {
    const backwards = starts.filter((start, index) => start < (starts[index - 1] ?? 0)).length;
    expect(backwards / starts.length).toBeGreaterThan(0.03);
    expect(backwards / starts.length).toBeLessThan(0.07);
  });

  it('starts, of a day and more, lie in the daytime', () => {
    const hours = starts.map((start) => new Date(start).getUTCHours());
    expect([Math.min(...hours), Math.max(...hours)]).toEqual([7, 15]);
  });

  it('detections, of each recording, are three within it', () => {
    for (const { start_time, end_time, species } of recordings) {
      const length = (Date.parse(end_time) - Date.parse(start_time)) / 1000;
      expect(species.length).toBe(3);
      expect(species.every((row) => row.start_time < row.end_time && row.end_time <= length)).toBe(true);
    }
  });
});

describe('toBody', () => {
  it('text, parsed, is the recording with 30 boxes for each detection', () => {
    const [recording] = recordings;
    if (!recording) throw new Error('no recording');
    const species = recording.species.map((row) => ({ ...row, frames: JSON.parse(row.frames) }));
    const body = JSON.parse(toBody(recording));
    expect(body).toEqual({ processor_version: 'bench', ...recording, species });
    expect(body.species.map((row: { frames: unknown[] }) => row.frames.length)).toEqual([30, 30, 30]);
  });
});
