import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { requestUnlock, unlockRequests } from '../../api/unlock';
import components from '../../components/texts/en.json';
import { renderPart } from '../../testing/render-part';
import type { Recording } from './recording-queries';
import { SightingStage } from './sighting-stage';
import texts from './texts/en.json';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe('the photo of a sighting', () => {
  it('that a locked hub does not send, is loaded once the hub is unlocked', async () => {
    vi.stubGlobal('fetch', async () =>
      Response.json({ code: 'unlock_required', error: '' }, { status: 403 }),
    );
    const recording = { media_kind: 'image', poster_url: '/api/ui/videos/7/poster', note: null };
    await renderPart(<SightingStage recording={recording as Recording} name="Great Tit" />, {
      recording: texts,
      components,
    });
    const photo = () => document.querySelector('img');
    fireEvent.error(photo() as HTMLImageElement);
    await screen.findByText(components.no_picture_locked);
    expect(photo()).toBeNull();
    void requestUnlock('contributor');
    act(() => unlockRequests.current()?.settle(true));
    expect(photo()).not.toBeNull();
  });
});
