import { useTranslation } from 'react-i18next';
import { Page } from '../app/page';

export function SettingsPage() {
  const { t } = useTranslation('app');
  return <Page title={t('settings')}>{null}</Page>;
}
