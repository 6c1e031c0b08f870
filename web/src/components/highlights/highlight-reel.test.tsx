import { cleanup, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { createHighlight } from '../../testing/factories';
import { renderPart } from '../../testing/render-part';
import texts from '../texts/en.json';
import { HighlightReel, type Moment } from './highlight-reel';

afterEach(cleanup);

const show = (highlights: Moment[]) =>
  renderPart(<HighlightReel highlights={highlights} label="Best" />, { components: texts });

describe('HighlightReel', () => {
  it('a highlight, links to its detection at the best second and names the reason', async () => {
    await show([
      createHighlight({
        detection_id: 7,
        video_id: 3,
        seconds: 4.25,
        reasons: ['sharp', 'first_ever'],
        favorite: true,
      }),
    ]);
    const link = screen.getByRole('link', { name: /Great Tit/ });
    expect(link.getAttribute('href')).toBe('/videos/3?detection=7&t=4.3');
    screen.getByText('First ever');
    screen.getByRole('img', { name: 'Favourite' });
    expect(screen.queryByText('sharp')).toBeNull();
  });

  it('a moment whose second is unknown, links to its detection only', async () => {
    const { seconds, ...moment } = createHighlight({ detection_id: 7, video_id: 3 });
    await show([moment]);
    expect(screen.getByRole('link').getAttribute('href')).toBe('/videos/3?detection=7');
  });

  it('an audio-only highlight, shows its spectrogram and no picture', async () => {
    const heard = {
      detection_id: 5,
      video_id: 9,
      media_kind: 'video',
      from: 1,
      to: 2,
      recording_seconds: 30,
    } as const;
    await show([
      createHighlight({
        source: 'audio',
        heard,
        species: { ...createHighlight().species, image_url: '/tit.jpg' },
      }),
    ]);
    const sources = [...document.querySelectorAll('img')].map((image) => image.getAttribute('src'));
    expect(sources).toEqual(['/api/ui/videos/9/spectrogram']);
    screen.getByRole('img', { name: 'Heard only' });
  });
});
