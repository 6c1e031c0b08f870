import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import { createInstance, type ResourceLanguage } from 'i18next';
import type { ReactNode } from 'react';
import { I18nextProvider, initReactI18next } from 'react-i18next';
import { statusQuery } from '../hub-facts/hub-facts';

/** Shows a part of a page in English and UTC, with the texts of its namespaces and what else the hub's status says. */
export async function show(part: ReactNode, texts: ResourceLanguage, status: object = {}) {
  const i18n = createInstance();
  await i18n.use(initReactI18next).init({ lng: 'en', keySeparator: false, resources: { en: texts } });
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } });
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
