import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import components from '../components/texts/en.json';
import { renderPart } from '../testing/render-part';
import { MorePages } from './more-pages';
import app from './texts/en.json';

afterEach(cleanup);

it('the drawer of further pages, when one goes back, closes', async () => {
  const onClose = vi.fn();
  await renderPart(<MorePages isOpen onClose={onClose} />, { app, components });
  screen.getByRole('dialog');
  fireEvent.popState(window);
  expect(onClose).toHaveBeenCalledOnce();
});
