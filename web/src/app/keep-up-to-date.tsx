import { registerSW } from 'virtual:pwa-register';
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { i18n } from 'i18next';

const hourMs = 3_600_000;

/** Lets the service worker keep the shell for when there is no network, and offers a newer one when it is there. */
export function keepUpToDate({ t }: i18n): void {
  const update = registerSW({
    onNeedRefresh: () => {
      notifications.show({
        autoClose: false,
        title: t('new_version'),
        message: (
          <Button size="compact-sm" onClick={() => void update(true)}>
            {t('reload')}
          </Button>
        ),
      });
    },
    onRegisteredSW: (_url, registration) => {
      if (registration !== undefined) setInterval(() => void registration.update(), hourMs);
    },
    onRegisterError: reportError,
  });
}
