import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Empty } from '../../components/states';

/** Shown while nothing is connected that birds could come from. */
export function EmptyHub() {
  const { t } = useTranslation('today');
  return (
    <Empty
      title={t('no_source')}
      action={
        <Button renderRoot={(props) => <Link to="/sources" {...props} />}>{t('connect_source')}</Button>
      }
    >
      {t('no_source_hint')}
    </Empty>
  );
}
