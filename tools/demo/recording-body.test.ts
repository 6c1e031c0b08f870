import { recordingAt } from '@birdhub/demo/plan';
import { describe, expect, it } from 'vitest';
import { recordingBody } from './recording-body.js';

const clip = { birds: [], place: 'garden', season: 'autumn', light: 'day', seconds: 8, take: 0 } as const;

describe('recordingBody', () => {
  it('with a start between two seconds, has whole seconds in UTC and a path in local time', () => {
    const visit = { camera: 'garden', offsetSeconds: 0, clip, trigger: 'motion', detections: [] } as const;
    const at = Date.parse('2026-11-20T23:15:02.750Z');
    const recording = recordingAt(visit, at, 'Europe/Berlin');
    expect(recordingBody(recording)).toEqual({
      processor_version: 'birdhub-demo 2',
      start_time: '2026-11-20T23:15:02.000Z',
      end_time: '2026-11-20T23:15:10.000Z',
      video_path: '2026/11/21/001502_garden/video.mp4',
      camera_id: 'garden',
      trigger_source: 'motion',
      species: [],
    });
  });
});
