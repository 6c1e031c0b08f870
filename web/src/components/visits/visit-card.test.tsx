import { cleanup, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createDetection, createVisit } from '../../testing/factories';
import { renderPart, stubHub } from '../../testing/render-part';
import texts from '../texts/en.json';
import { describeVisit, type TimelineItem } from './describe-visit';
import { VisitCard, VisitMarks } from './visit-card';

const visit = {
  timeline_kind: 'visit',
  start_time: '2026-05-01T08:00:00Z',
  end_time: '2026-05-01T08:00:05Z',
  detections: [{ id: 1, video_id: 1, confidence: 0.6, source: 'video', reviewed: false }],
} as unknown as TimelineItem;

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe('VisitMarks', () => {
  it.each([
    [0.7, 'stands out', true],
    [0.5, 'is a plain figure', false],
  ])('a confidence of 0.6 with a doubt threshold of %d, %s', async (doubt_threshold, _, isBadge) => {
    await renderPart(
      <VisitMarks facts={describeVisit(visit)} isFavorite={false} />,
      { components: texts },
      { doubt_threshold },
    );
    // The words would take the space of the name.
    const figure = screen.getByText('60%');
    expect(figure.closest('[title]')?.getAttribute('title')).toBe('60% confidence');
    expect(figure.closest('.mantine-Badge-root') !== null).toBe(isBadge);
    expect(screen.queryByText('60% confidence') !== null).toBe(isBadge);
  });
});

describe('VisitCard', () => {
  it.each([
    ['a bird', 'bird', 1, '1 bird · garden'],
    ['an animal', 'other_animal', 1, 'garden'],
    ['two animals', 'other_animal', 2, '× 2 · garden'],
  ] as const)('of %s, counts only birds as birds', async (_, group, max_simultaneous, line) => {
    stubHub({});
    const species = { ...createVisit().species, group };
    const given = { species, max_simultaneous, cameras: ['garden'], detections: [createDetection()] };
    await renderPart(<VisitCard visit={createVisit(given)} />, { components: texts });
    expect(screen.getByText(line)).toBeDefined();
  });
});
