import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { i18n } from 'i18next';
import { applyUpdate, watchUpdates } from './watch-updates';

const hourMs = 3_600_000;
const noticeId = 'new-version';

/** Registers the service worker, which keeps the shell for when there is no network, and offers a newer one. */
export function keepUpToDate(texts: i18n): void {
  // A development server has none.
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
  // Without network there is nothing new.
  setInterval(() => void registration.update().catch(() => undefined), hourMs);
}
