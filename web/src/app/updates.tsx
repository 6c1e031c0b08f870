import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { i18n } from 'i18next';

const hourMs = 3_600_000;
const noticeId = 'new-version';

/** Registers the service worker, which caches the app for offline use, and offers updates. */
export function registerServiceWorker(texts: i18n): void {
  // The development server has none.
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  register(texts, navigator.serviceWorker).catch(reportError);
}

async function register({ t }: i18n, container: ServiceWorkerContainer): Promise<void> {
  const registration = await container.register(new URL('service-worker.js', document.baseURI));
  const reload = () => window.location.reload();
  watchUpdates(container, registration, () =>
    notifications.show({
      id: noticeId,
      autoClose: false,
      title: t('new_version'),
      message: (
        <Button size="compact-sm" onClick={() => applyUpdate(container, registration, reload)}>
          {t('reload')}
        </Button>
      ),
    }),
  );
  // Fails without network.
  setInterval(() => void registration.update().catch(() => undefined), hourMs);
}

/**
 * Calls `onWaiting` for each newer service worker that waits while an older one controls the page. On a first visit no
 * worker controls the page, so nothing is offered.
 */
export function watchUpdates(
  container: ServiceWorkerContainer,
  registration: ServiceWorkerRegistration,
  onWaiting: () => void,
): void {
  const offer = (worker: ServiceWorker | null) => {
    if (worker !== null && worker === registration.waiting && container.controller !== null) onWaiting();
  };
  const follow = (worker: ServiceWorker | null) =>
    worker?.addEventListener('statechange', () => worker.state === 'installed' && offer(worker));
  registration.addEventListener('updatefound', () => follow(registration.installing));
  follow(registration.installing);
  offer(registration.waiting);
}

/** The page is reloaded after this time even when the worker has not taken over. */
const takeoverTimeoutMs = 3_000;

/** Activates the waiting worker, if there is one, and reloads the page. */
export function applyUpdate(
  container: ServiceWorkerContainer,
  registration: ServiceWorkerRegistration,
  reload: () => void,
): void {
  if (registration.waiting === null) {
    reload();
    return;
  }
  const timer = setTimeout(reload, takeoverTimeoutMs);
  container.addEventListener(
    'controllerchange',
    () => {
      clearTimeout(timer);
      reload();
    },
    { once: true },
  );
  registration.waiting.postMessage({ type: 'SKIP_WAITING' });
}
