import { createRouter } from '@tanstack/react-router';
import { basePath } from '../api/base';
import { routeTree } from './routes';

/** Where one is in the hub, below its base path. */
export const router = createRouter({
  routeTree,
  basepath: basePath === '' ? '/' : basePath,
  defaultPreload: 'intent',
  scrollRestoration: true,
  // What a page does not take from an address is not in it: else it would be handed on unread.
  search: { strict: true },
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
