import { useTranslation } from 'react-i18next';
import { Page } from '../app/page';

export function TodayPage() {
  const { t } = useTranslation('app');
  return <Page title={t('today')}>{null}</Page>;
}
