import { cleanup, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import components from '../../components/texts/en.json';
import { createHighlight } from '../../testing/factories';
import { renderPart } from '../../testing/render-part';
import { MoreMoments, momentsHeight } from './more-moments';
import type { Recording } from './recording-queries';
import texts from './texts/en.json';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const recording = {
  id: 7,
  species: [{ id: 1, species_id: 1, species_name: 'Great Tit', visit_id: null, source: 'video' }],
} as unknown as Recording;

describe('MoreMoments', () => {
  it('moments that are loading, keep the height that is reserved for them', async () => {
    let respond: (response: Response) => void = () => undefined;
    vi.stubGlobal('fetch', () => new Promise<Response>((resolve) => (respond = resolve)));
    const { container } = await renderPart(<MoreMoments recording={recording} />, {
      recording: texts,
      components,
    });
    const reserved = () =>
      [...container.querySelectorAll('div')].filter((box) => box.style.height === momentsHeight).length;
    expect(reserved()).toBe(1);
    respond(Response.json([createHighlight({ video_id: 8 })]));
    await screen.findByRole('heading', { name: /Great Tit/ });
    expect(reserved()).toBe(0);
  });
});
