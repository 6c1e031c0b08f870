import { NavLink, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { destinations } from './navigation';
import { linkOf, useIsHere } from './use-is-here';

/** Every page, one below the other. */
export function NavigationList({ onChoose }: { readonly onChoose?: () => void }) {
  const { t } = useTranslation('app');
  const isHere = useIsHere();
  return (
    <Stack gap={2} component="nav" aria-label={t('navigation')}>
      {destinations.map((place) => (
        <NavLink
          key={place.name}
          active={isHere(place)}
          aria-current={isHere(place) ? 'page' : undefined}
          label={t(place.name)}
          leftSection={<place.icon size={20} stroke={1.6} aria-hidden />}
          renderRoot={(props) => <Link {...linkOf(place)} {...props} onClick={onChoose} />}
        />
      ))}
    </Stack>
  );
}
