import '@fontsource-variable/inter/wght.css';
import './components/component-styles/first.css';
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
import { preloadNavigation } from './app/shell';
import { theme } from './app/theme';
import { PageLoading } from './components/states';
import { preloadToday } from './features/today/today-queries';
import { startI18n } from './i18n/start-i18n';
import { whenIdle } from './lib/when-idle';

/** The page is rendered in one step if all its parts have loaded by then; otherwise part by part. */
const maxWaitMs = 400;

const container = document.getElementById('root');
if (container === null) throw new Error('the page has no element #root');
const root = createRoot(container);

// Page, texts and data load in parallel.
const { texts, areLoaded } = startI18n();
const parts: Promise<unknown>[] = [areLoaded, preloadNavigation()];
if (location.pathname === `${basePath}/`) parts.push(preloadToday());
parts.push(router.load());

function render(): void {
  root.render(
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
  // The service worker fills its cache after the page is shown.
  whenIdle(() => void import('./app/updates').then((file) => file.registerServiceWorker(texts)));
}

const deadline = new Promise((resolve) => setTimeout(resolve, maxWaitMs));
void Promise.race([Promise.allSettled(parts), deadline]).then(render);
