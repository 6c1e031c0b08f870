import { describe, expect, it } from 'vitest';
import type { TimelineItem } from '../../components/visits/describe-visit';
import { createUnknown } from '../../testing/factories';
import { affectedDetections, type DetectionContext, emptyRecording } from './affected-detections';

const row = (id: number, track_id: number | null, species_id = 1) => ({
  id,
  species_id,
  species_name: 'Great Tit',
  start_time: 0,
  end_time: 5,
  confidence: 0.4,
  source: 'video' as const,
  track_id,
  image_url: null,
  detection_provider: null,
  plumage: null,
  reviewed: false,
  visit_id: 1,
  frames: [],
  thumbhash: null,
});

const recording = (rows: ReturnType<typeof row>[]): DetectionContext['recording'] => ({
  id: 10,
  created_at: '2026-05-04T06:00:00Z',
  start_time: '2026-05-04T06:00:00Z',
  end_time: '2026-05-04T06:00:20Z',
  processor_version: '1',
  camera_id: null,
  video_path: 'a/video.mp4',
  media_kind: 'video',
  video_url: '/a',
  spectrogram_path: null,
  spectrogram_url: null,
  spectrogram_khz: null,
  poster_url: '/p',
  favorite: false,
  media: 'ready',
  weather: {
    main: null,
    description: null,
    temp: null,
    humidity: null,
    pressure: null,
    clouds: null,
    wind_speed: null,
  },
  species: rows,
  food: [],
  note: null,
});

const visit = (...ids: number[]): TimelineItem => ({
  id: 1,
  timeline_kind: 'visit',
  start_time: '2026-05-04T06:00:00Z',
  end_time: '2026-05-04T06:00:20Z',
  max_simultaneous: 1,
  total_recording_seconds: 20,
  video_duration_seconds: 20,
  weather: null,
  species: {
    id: 1,
    name: 'Great Tit',
    scientific_name: null,
    image_url: null,
    parent_id: null,
    group: 'bird',
  },
  media_kind: 'video',
  cameras: [],
  best: null,
  heard: null,
  thumbhash: null,
  detections: ids.map((id) => ({
    id,
    video_id: 10,
    start_time: '2026-05-04T06:00:00Z',
    end_time: '2026-05-04T06:00:05Z',
    confidence: 0.4,
    source: 'video' as const,
    detection_provider: null,
    reviewed: false,
  })),
});

const confirm = { kind: 'confirm' } as const;
const correct = { kind: 'correct', speciesId: 7, scope: 'single_track' } as const;
const around = {
  recording: recording([row(1, 5), row(2, 5), row(3, 5, 9), row(4, 6)]),
  visit: visit(1, 2, 8),
};

describe('affectedDetections', () => {
  it.each([
    ['a confirmation', confirm, 'single_track', [2], []],
    ['a confirmation of the whole visit', confirm, 'visit', [2], [1, 2, 8]],
    ['a correction', correct, 'single_track', [2, 3], []],
    ['a correction of the whole visit', { ...correct, scope: 'visit' }, 'visit', [2, 3, 1, 2, 8], []],
    ['a skip of the whole visit', { kind: 'skip' }, 'visit', [], []],
  ] as const)('%s, finds the covered and alike detections', (_case, verdict, scope, covered, alike) => {
    expect(affectedDetections(createUnknown(1), verdict, scope, around)).toEqual({ covered, alike });
  });

  it('a detection without a track, affects no others', () => {
    const alone = { recording: recording([row(1, null), row(2, null)]), visit: undefined };
    expect(affectedDetections(createUnknown(1), correct, 'single_track', alone)).toEqual({
      covered: [],
      alike: [],
    });
  });

  it('with neither recording nor visit known, affects no others', () => {
    const nothing = { recording: undefined, visit: undefined };
    expect(affectedDetections(createUnknown(1), confirm, 'visit', nothing)).toEqual({
      covered: [],
      alike: [],
    });
  });
});

describe('emptyRecording', () => {
  const item = createUnknown(1);
  const other = { ...createUnknown(2), video_id: item.video_id };

  it('a recording with only detections in doubt, is deleted with all of them', () => {
    expect(emptyRecording(item, [item, other], recording([row(1, null), row(2, null)]))).toEqual([2]);
    expect(emptyRecording(item, [item], recording([row(1, null)]))).toEqual([]);
  });

  it('a recording with a detection not in doubt, is kept', () => {
    expect(emptyRecording(item, [item], recording([row(1, null), row(2, null)]))).toBeUndefined();
  });

  it('a recording not loaded yet, is kept', () => {
    expect(emptyRecording(item, [item], undefined)).toBeUndefined();
  });
});
