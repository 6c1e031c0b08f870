import { useTranslation } from 'react-i18next';
import { Page } from '../app/page';

export function CalendarPage() {
  const { t } = useTranslation('app');
  return <Page title={t('calendar')}>{null}</Page>;
}
