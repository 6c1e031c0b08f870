import { act, cleanup } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import components from '../../components/texts/en.json';
import { createUnknown } from '../../testing/factories';
import { renderPart } from '../../testing/render-part';
import type { Recording } from '../recording/recording-queries';
import { VideoPane } from './evidence-panes';
import texts from './texts/en.json';

afterEach(cleanup);

describe('the recording in a review', () => {
  test('while the next one loads, stops playing', async () => {
    const pause = vi.spyOn(HTMLMediaElement.prototype, 'pause');
    const recording = { id: 7, media_kind: 'audio', media: 'ready', video_url: '/7.mp3', poster_url: '/7' };
    const pane = (shown: object | undefined) => (
      <VideoPane item={createUnknown(1)} recording={shown as Recording | undefined} />
    );
    let change: (shown: object | undefined) => void = () => undefined;
    function Review() {
      const [shown, setShown] = useState<object | undefined>({ ...recording, species: [] });
      change = setShown;
      return pane(shown);
    }
    await renderPart(<Review />, { review: texts, components });
    expect(pause).not.toHaveBeenCalled();
    act(() => change(undefined));
    expect(pause).toHaveBeenCalled();
  });
});
