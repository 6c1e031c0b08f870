import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { createInstance } from 'i18next';
import { I18nextProvider, initReactI18next } from 'react-i18next';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { statusQuery } from '../../lib/hub-facts';
import { DetectionList } from './detection-list';
import type { Detection } from './recording-queries';
import texts from './texts/en.json';
import type { Player } from './use-player';

const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } });
queryClient.setQueryData(statusQuery.queryKey, { timezone: 'UTC', units: 'metric' } as never);
queryClient.setQueryData(['species-names', 'en'], {});

function createDetection(given: Partial<Detection>): Detection {
  return {
    id: 1,
    species_id: 1,
    species_name: 'Great Tit',
    start_time: 1,
    end_time: 4,
    confidence: 0.8,
    source: 'video',
    track_id: null,
    image_url: null,
    detection_provider: null,
    plumage: null,
    reviewed: false,
    visit_id: null,
    frames: [],
    thumbhash: null,
    ...given,
  };
}

/** A player of a ten-second recording whose position a test sets. */
function fakePlayer() {
  let time = 0;
  const listeners = new Set<() => void>();
  const sought: number[] = [];
  const playhead = {
    time: () => time,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const player = { playhead, seconds: 10, seek: (to: number) => sought.push(to) } as unknown as Player;
  const move = (to: number) =>
    act(() => {
      time = to;
      for (const listener of listeners) listener();
    });
  return { player, move, sought };
}

async function show(detections: Detection[]) {
  const fake = fakePlayer();
  const chosen: (number | undefined)[] = [];
  const i18n = createInstance();
  await i18n.use(initReactI18next).init({
    lng: 'en',
    keySeparator: false,
    defaultNS: 'recording',
    resources: { en: { recording: texts } },
  });
  const list = (shown: Detection[]) => (
    <I18nextProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <MantineProvider>
          <DetectionList
            detections={shown}
            spectrogramUrl={null}
            player={fake.player}
            chosenId={undefined}
            onChoose={(id) => chosen.push(id)}
          />
        </MantineProvider>
      </QueryClientProvider>
    </I18nextProvider>
  );
  const { rerender } = render(list(detections));
  const update = (shown: Detection[]) => rerender(list(shown));
  return { ...fake, chosen, update, rows: screen.queryAllByRole('listitem') };
}

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe('DetectionList', () => {
  it('detections seen and heard, show their times and confidences', async () => {
    const { rows } = await show([
      createDetection({}),
      createDetection({
        id: 2,
        species_name: 'Tawny Owl',
        source: 'audio',
        start_time: 5.5,
        end_time: 9,
        confidence: 0.456,
      }),
    ]);
    expect(rows.map((row) => within(row).getByRole('button', { name: /%/ }).textContent)).toEqual([
      'Great Tit80% · 0:01–0:04',
      'Tawny Owl46% · 0:05–0:09',
    ]);
    expect(screen.getByLabelText('Heard')).toBeTruthy();
  });

  it('during playback, marks the detections of the moment', async () => {
    const { rows, move } = await show([
      createDetection({}),
      createDetection({ id: 2, start_time: 3, end_time: 8 }),
    ]);
    const marked = () => rows.map((row) => within(row).queryByText('now') !== null);
    expect(marked()).toEqual([false, false]);
    move(2);
    expect(marked()).toEqual([true, false]);
    move(3.5);
    expect(marked()).toEqual([true, true]);
    move(8.5);
    expect(marked()).toEqual([false, false]);
  });

  it('a clicked detection, is chosen and played from its start', async () => {
    const { chosen, sought } = await show([createDetection({ id: 7, start_time: 2.5 })]);
    fireEvent.click(screen.getByRole('button', { name: /Great Tit.*%/ }));
    expect([chosen, sought]).toEqual([[7], [2.5]]);
  });

  it('with an unreviewed and a reviewed detection, offers to confirm only the unreviewed one', async () => {
    const { chosen, sought } = await show([
      createDetection({ id: 7 }),
      createDetection({ id: 8, species_name: 'Eurasian Blue Tit', reviewed: true }),
    ]);
    expect(
      screen.getAllByRole('button', { name: /^Confirm/ }).map((one) => one.getAttribute('aria-label')),
    ).toEqual(['Confirm: Great Tit']);
    fireEvent.click(screen.getByRole('button', { name: 'Change species: Eurasian Blue Tit' }));
    expect([chosen, sought]).toEqual([[8], []]);
  });

  it('after a detection is confirmed by keyboard, the focus is on the next button of its row', async () => {
    let answer = () => {};
    vi.stubGlobal('fetch', () => new Promise((_, reject) => (answer = () => reject(new Error('later')))));
    const { update } = await show([createDetection({})]);
    const button = screen.getByRole('button', { name: 'Confirm: Great Tit' });
    button.focus();
    fireEvent.click(button);
    await waitFor(() => expect(button.getAttribute('aria-disabled')).toBe('true'));
    expect(button.hasAttribute('disabled')).toBe(false);
    update([createDetection({ reviewed: true })]);
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Change species: Great Tit' }));
    answer();
  });

  it('a recording without birds, shows a message', async () => {
    const { rows } = await show([]);
    expect(rows).toEqual([]);
    expect(screen.getByText('No birds were detected in this recording.')).toBeTruthy();
  });
});
