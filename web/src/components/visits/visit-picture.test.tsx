import { cleanup, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { createDetection, createVisit } from '../../testing/factories';
import { renderPart } from '../../testing/render-part';
import texts from '../texts/en.json';
import { describeVisit, type TimelineItem } from './describe-visit';
import { VisitPicture } from './visit-picture';

afterEach(cleanup);

const sources = () => [...document.querySelectorAll('img')].map((image) => image.getAttribute('src'));
const show = (visit: Partial<TimelineItem>) =>
  renderPart(
    <VisitPicture
      facts={describeVisit(createVisit(visit))}
      speciesUrl="/species/tit.jpg"
      heardLabel="Heard only"
      sightingLabel="Seen by a person"
    />,
    { components: texts },
  );

describe('VisitPicture', () => {
  it('with a video or photo, shows the crop of the best detection', async () => {
    await show({ media_kind: 'image', detections: [createDetection({ id: 5 })] });
    expect(sources()).toEqual(['/api/ui/detections/5/crop']);
  });

  it.each([
    ['audio', 'shows the spectrogram with its axes', '/api/ui/detections/5/crop'],
    ['video', 'shows its part of the spectrogram', '/api/ui/videos/7/spectrogram'],
  ] as const)('for an audio-only visit in a recording of kind %s, %s', async (media_kind, _, address) => {
    const heard = { detection_id: 5, video_id: 7, media_kind, from: 1, to: 2, recording_seconds: 30 };
    await show({ media_kind, detections: [createDetection({ source: 'audio' })], heard });
    expect(sources()).toEqual([address]);
    screen.getByRole('img', { name: 'Heard only' });
  });

  it('for a bird seen by a person, shows the picture of the species with a mark', async () => {
    await show({ media_kind: null, detections: [createDetection()] });
    expect(sources()).toEqual(['/species/tit.jpg']);
    screen.getByRole('img', { name: 'Seen by a person' });
  });

  it('for a bird heard by a person, shows an ear', async () => {
    await show({ media_kind: null, detections: [createDetection({ source: 'audio' })] });
    expect(sources()).toEqual([]);
    screen.getByRole('img', { name: 'Heard only' });
  });
});
