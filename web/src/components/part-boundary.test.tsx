import { cleanup, screen, waitFor } from '@testing-library/react';
import { useSyncExternalStore } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { renderPart } from '../testing/render-part';
import { lazyComponent } from './lazy-part';
import { missingParts, PartBoundary } from './part-boundary';

beforeEach(() => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  vi.spyOn(console, 'error').mockReturnValue();
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function Notice() {
  return useSyncExternalStore(missingParts.subscribe, missingParts.isAny) && <p>missing</p>;
}

describe('PartBoundary', () => {
  it('a part that loads at the second attempt, shows it', async () => {
    const load = vi.fn(async () => () => <p>part</p>).mockRejectedValueOnce(new TypeError('no chunk'));
    const Part = lazyComponent(load);
    await renderPart(
      <PartBoundary>
        <Part />
      </PartBoundary>,
      {},
    );
    await screen.findByText('part');
    expect(load).toHaveBeenCalledTimes(2);
  });

  it('a part that does not load, closes it and keeps the page', async () => {
    const Part = lazyComponent(() => Promise.reject(new TypeError('no chunk')));
    const close = vi.fn();
    await renderPart(
      <>
        <h1>page</h1>
        <PartBoundary onMissing={close}>
          <Part />
        </PartBoundary>
        <Notice />
      </>,
      {},
    );
    await waitFor(() => expect(close).toHaveBeenCalledTimes(1));
    screen.getByText('page');
    await screen.findByText('missing');
  });
});
