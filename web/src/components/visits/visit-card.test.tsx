import { cleanup, screen } from '@testing-library/react';
import { afterEach, describe, it } from 'vitest';
import { renderPart } from '../../testing/render-part';
import texts from '../texts/en.json';
import { describeVisit, type TimelineItem } from './describe-visit';
import { VisitMarks } from './visit-card';

const visit = {
  timeline_kind: 'visit',
  start_time: '2026-05-01T08:00:00Z',
  end_time: '2026-05-01T08:00:05Z',
  detections: [{ id: 1, video_id: 1, confidence: 0.6, source: 'video', reviewed: false }],
} as unknown as TimelineItem;

afterEach(cleanup);

describe('VisitMarks', () => {
  it.each([
    [0.7, 'stands out as "60% confidence"', /^60% confidence$/],
    [0.5, 'is a plain figure', /^60%$/],
  ])('a confidence of 0.6 with a doubt threshold of %d, %s', async (doubt_threshold, _, text) => {
    await renderPart(
      <VisitMarks facts={describeVisit(visit)} isFavorite={false} />,
      { components: texts },
      { doubt_threshold },
    );
    screen.getByText(text);
  });
});
