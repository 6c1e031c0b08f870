import { ActionIcon, type ActionIconProps } from '@mantine/core';
import { IconAdjustments } from '@tabler/icons-react';
import type { ComponentPropsWithRef } from 'react';
import { useTranslation } from 'react-i18next';

/** What opens the preferences. */
export function PreferencesIcon(props: ActionIconProps & ComponentPropsWithRef<'button'>) {
  const { t } = useTranslation('app');
  return (
    <ActionIcon variant="subtle" size="lg" aria-label={`${t('language')}, ${t('scheme')}`} {...props}>
      <IconAdjustments size={20} aria-hidden />
    </ActionIcon>
  );
}
