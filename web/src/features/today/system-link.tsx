import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

/** To where every part of the hub says how it is. */
export function SystemLink() {
  const { t } = useTranslation('today');
  return (
    <Anchor inherit renderRoot={(props) => <Link to="/system" {...props} />}>
      {t('to_system')}
    </Anchor>
  );
}
