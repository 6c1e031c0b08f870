import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

/** To where the hub is set up. */
export function SettingsLink() {
  const { t } = useTranslation('today');
  return (
    <Anchor inherit renderRoot={(props) => <Link to="/settings" {...props} />}>
      {t('to_settings')}
    </Anchor>
  );
}
