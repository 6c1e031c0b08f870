import { useTranslation } from 'react-i18next';
import { Page } from '../app/page';

export function SystemPage() {
  const { t } = useTranslation('app');
  return <Page title={t('system')}>{null}</Page>;
}
