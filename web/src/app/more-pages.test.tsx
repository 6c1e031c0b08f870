import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import components from '../components/texts/en.json';
import { renderPart } from '../testing/render-part';
import { MorePages } from './more-pages';
import app from './texts/en.json';

afterEach(cleanup);

it('the drawer of further pages, when one goes back, closes', async () => {
  const onClose = vi.fn();
  const root = createRootRoute({ component: () => <MorePages isOpen onClose={onClose} /> });
  const router = createRouter({ routeTree: root, history: createMemoryHistory() });
  await router.load();
  await renderPart(<RouterProvider router={router as never} />, { app, components });
  screen.getByRole('dialog');
  fireEvent.popState(window);
  expect(onClose).toHaveBeenCalledOnce();
});
