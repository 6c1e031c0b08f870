import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Empty } from '../states/states';

/** For an address that no page has. */
export function NotFound() {
  const { t } = useTranslation('app');
  return (
    <Empty
      title={t('not_found')}
      action={<Button renderRoot={(props) => <Link to="/" {...props} />}>{t('to_today')}</Button>}
    >
      {t('not_found_hint')}
    </Empty>
  );
}
