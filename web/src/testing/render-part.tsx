import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { render } from '@testing-library/react';
import { createInstance, type ResourceLanguage } from 'i18next';
import type { ReactNode } from 'react';
import { I18nextProvider, initReactI18next } from 'react-i18next';
import { vi } from 'vitest';
import { statusQuery } from '../lib/hub-facts';

interface Surroundings {
  readonly language?: string;
  /** Address of the page, with search parameters. */
  readonly address?: string;
}

/**
 * Renders a part of a page in UTC with the texts of its namespaces, in English and at `/` unless stated otherwise;
 * `status` extends the hub's status. Navigation changes the location of the returned router; the part stays.
 */
export async function renderPart(
  part: ReactNode,
  texts: ResourceLanguage,
  status: object = {},
  { language = 'en', address = '/' }: Surroundings = {},
) {
  const i18n = createInstance();
  await i18n
    .use(initReactI18next)
    .init({ lng: language, keySeparator: false, showSupportNotice: false, resources: { [language]: texts } });
  const queryClient = new QueryClient({
    defaultOptions: {
      queries: { retry: false, networkMode: 'always' },
      mutations: { networkMode: 'always' },
    },
  });
  queryClient.setQueryData(statusQuery.queryKey, { timezone: 'UTC', units: 'metric', ...status } as never);
  queryClient.setQueryData(['species-names', 'en'], {});
  const router = createTestRouter(part, address);
  await router.load();
  const rendered = render(
    <I18nextProvider i18n={i18n}>
      <MantineProvider env="test">
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router as never} />
        </QueryClientProvider>
      </MantineProvider>
    </I18nextProvider>,
  );
  return { ...rendered, queryClient, router };
}

/** Creates a router that shows `part` at any address, with a route for the path of `address`. */
function createTestRouter(part: ReactNode, address: string) {
  const root = createRootRoute({ component: () => part });
  const paths = [address.replace(/[?#].*/, ''), '$'];
  return createRouter({
    routeTree: root.addChildren(paths.map((path) => createRoute({ getParentRoute: () => root, path }))),
    history: createMemoryHistory({ initialEntries: [address] }),
    // Failures are those of the test.
    disableGlobalCatchBoundary: true,
  });
}

/** Replies of a stubbed hub by `METHOD path`; other requests return 404. */
export type Replies = Readonly<Record<string, (body: unknown) => { status?: number; body: object }>>;

/** Replaces `fetch` with a stub; returns the calls with their bodies. */
export function stubHub(replies: Replies): { readonly calls: [string, unknown][] } {
  const calls: [string, unknown][] = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    const call = `${request.method} ${new URL(request.url).pathname}`;
    const text = await request.text();
    const sent: unknown = text === '' ? undefined : JSON.parse(text);
    calls.push([call, sent]);
    const { status = 200, body } = replies[call]?.(sent) ?? { status: 404, body: {} };
    return Response.json(body, { status });
  });
  return { calls };
}
