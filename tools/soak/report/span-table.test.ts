import { describe, expect, it } from 'vitest';
import { postName } from '../load/post-recordings.js';
import { createSpan } from '../testing/span.js';
import { pickSpans, spanTable } from './span-table.js';

const load = (p50: number, p99: number) => ({ count: 9, p50, p975: p99, p99 });

describe('spanTable', () => {
  it('with a span, lists its posts, its slowest read and each process', () => {
    const span = createSpan(3, {
      loads: {
        [postName]: load(10, 20),
        'GET /api/ui/timeline': load(3, 44),
        'GET /api/ui/status': load(1, 2),
        'GET /api/ui/detections/{id}/crop': load(300, 900),
      },
      processes: { nats: { bytes: 12e6, sharedBytes: 0, openFiles: 14, heapBytes: undefined } },
      tables: { video: { rows: 1, deadRows: 0, bytes: 2e6, indexes: { video_pkey: 1e6 } } },
      broker: { lastSequence: 9, streamBytes: 1, waiting: { 'system-media': 2, 'system-push': 1 } },
    });
    const [titles, line] = spanTable([span]);
    expect(titles).toContain('nats');
    expect(line).toEqual(['3', '10.0', '20.0', '44.0', '–', '0', '12.0', '14', '0', '3', '3.00']);
  });
});

describe('pickSpans', () => {
  it.each([
    [30, 10, [3, 6, 9, 12, 15, 18, 21, 24, 27, 30]],
    [12, 10, [2, 4, 6, 8, 10, 12]],
    [5, 10, [1, 2, 3, 4, 5]],
  ])('of %i spans, with %i at most, picks evenly and includes the last', (count, max, expected) => {
    const spans = Array.from({ length: count }, (_, index) => createSpan(index + 1));
    expect(pickSpans(spans, max).map(({ endSeconds }) => endSeconds / 60)).toEqual(expected);
  });
});
