import '@fontsource-variable/inter/wght.css';
import '@mantine/core/styles.css';
import './app/global.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { I18nextProvider } from 'react-i18next';
import { basePath } from './api/hub-url';
import { queryClient } from './api/query-client';
import { router } from './app/router';
import { theme } from './app/theme';
import { registerServiceWorker } from './app/updates';
import { PageLoading } from './components/states';
import { preloadToday } from './features/today/today-queries';
import { startI18n } from './i18n/start-i18n';

const root = document.getElementById('root');
if (root === null) throw new Error('the page has no place for the hub');

// Page and data of Today are under way while the frame of the page is made.
if (location.pathname === `${basePath}/`) {
  preloadToday();
  void import('./features/today/today-page');
}

const texts = startI18n();

createRoot(root).render(
  <StrictMode>
    <I18nextProvider i18n={texts}>
      <MantineProvider theme={theme} defaultColorScheme="auto">
        <QueryClientProvider client={queryClient}>
          <Suspense fallback={<PageLoading />}>
            <RouterProvider router={router} />
          </Suspense>
        </QueryClientProvider>
      </MantineProvider>
    </I18nextProvider>
  </StrictMode>,
);
registerServiceWorker(texts);
