import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import { createInstance, type ResourceLanguage } from 'i18next';
import type { ReactNode } from 'react';
import { I18nextProvider, initReactI18next } from 'react-i18next';
import { vi } from 'vitest';
import { statusQuery } from '../lib/hub-facts';

/**
 * Renders a part of a page in UTC with the texts of its namespaces, in English unless another language is given;
 * `status` extends the hub's status.
 */
export async function renderPart(
  part: ReactNode,
  texts: ResourceLanguage,
  status: object = {},
  language = 'en',
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
  return render(
    <I18nextProvider i18n={i18n}>
      <MantineProvider env="test">
        <QueryClientProvider client={queryClient}>{part}</QueryClientProvider>
      </MantineProvider>
    </I18nextProvider>,
  );
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
