import { present } from './create-test-ingest.js';

const hour = 3_600_000;

/** A body of a recording; `videoPath` keeps tests apart. */
export type Body = Record<string, unknown>;

/** A detection as a processor posts it: a great tit in the first two seconds unless said otherwise. */
export function aRow(given: Body = {}): Body {
  return {
    species_name: 'Great Tit',
    confidence: 0.9,
    start_time: 0,
    end_time: 2,
    source: 'video',
    ...given,
  };
}

/** A recording of ten seconds, an hour ago, with one detection unless said otherwise. */
export function aBody(given: Body = {}): Body {
  const start = present - hour;
  return {
    processor_version: '1.0',
    start_time: new Date(start).toISOString(),
    end_time: new Date(start + 10_000).toISOString(),
    video_path: '2026/05/01/110000/video.mp4',
    camera_id: 'garden',
    species: [aRow()],
    ...given,
  };
}

/** Start and end of a recording that begins `seconds` after the usual one and lasts ten seconds. */
export function startingAt(seconds: number): Body {
  const start = present - hour + seconds * 1000;
  return {
    start_time: new Date(start).toISOString(),
    end_time: new Date(start + 10_000).toISOString(),
  };
}
