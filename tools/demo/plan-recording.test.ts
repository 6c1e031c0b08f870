import { describe, expect, it } from 'vitest';
import { emptyClips } from './clip-variants.js';
import { localTimeIn } from './local-time.js';
import { recordingAt, recordingBody } from './plan-recording.js';

const clip = emptyClips('day')[0];

describe('recordingBody', () => {
  it('body, of a recording between two seconds, has whole seconds in UTC and the path in local time', () => {
    if (clip === undefined) throw new Error('there is no clip of the garden');
    const visit = { camera: 'garden', offsetSeconds: 0, clip, trigger: 'motion', detections: [] } as const;
    const at = Date.parse('2026-11-20T23:15:02.750Z');
    const recording = recordingAt({ ...visit, detections: [] }, at, localTimeIn('Europe/Berlin'));
    expect(recordingBody(recording)).toEqual({
      processor_version: 'birdhub-demo 1',
      start_time: '2026-11-20T23:15:02.000Z',
      end_time: '2026-11-20T23:15:10.000Z',
      video_path: '2026/11/21/001502_garden/video.mp4',
      camera_id: 'garden',
      trigger_source: 'motion',
      species: [],
    });
  });
});
