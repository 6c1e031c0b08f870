import { Card, Stack, Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { SettingPlace } from './setting-places';

interface PlaceCardProps {
  readonly place: SettingPlace;
  readonly children: ReactNode;
}

/** One part of the settings with its title. */
export function PlaceCard({ place, children }: PlaceCardProps) {
  const { t } = useTranslation('settings');
  return (
    <Card
      component="section"
      aria-labelledby={`${place}-title`}
      withBorder
      padding="lg"
      bg="var(--card-background)"
      style={{ overflow: 'visible' }}
    >
      <Stack gap="lg">
        <Title order={2} size="h3" id={`${place}-title`}>
          {t(`group.${place}`)}
        </Title>
        {children}
      </Stack>
    </Card>
  );
}

/** Brings the keyboard and the reading voice to a part that somebody has gone to. */
export function usePlaceFocus(chosen: SettingPlace | undefined) {
  const ref = useRef<HTMLDivElement>(null);
  const before = useRef(chosen);
  useEffect(() => {
    if (chosen !== undefined && chosen !== before.current) {
      ref.current?.focus({ preventScroll: true });
      window.scrollTo(0, 0);
    }
    before.current = chosen;
  }, [chosen]);
  return ref;
}
