import { Stack } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { FeederCard } from './feeder-card';
import { HubCard } from './hub-card';
import { SkyCard } from './sky-card';

const NotificationHint = lazy(() =>
  import('../notifications/notification-hint').then((file) => ({ default: file.NotificationHint })),
);

/** What stands beside the day: sky, feeder, hub. */
export function AsideCards({ day }: { readonly day: string }) {
  return (
    <Stack gap="md">
      <SkyCard day={day} />
      <FeederCard />
      <HubCard />
      <Suspense>
        <NotificationHint />
      </Suspense>
    </Stack>
  );
}
