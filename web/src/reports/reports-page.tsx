import { useTranslation } from 'react-i18next';
import { Page } from '../app/page';

export function ReportsPage() {
  const { t } = useTranslation('app');
  return <Page title={t('reports')}>{null}</Page>;
}
