import { useTranslation } from 'react-i18next';
import { Page } from '../app/page';

export function TimelineRoute() {
  const { t } = useTranslation('app');
  return <Page title={t('timeline')}>{null}</Page>;
}
