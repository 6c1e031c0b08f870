import { useTranslation } from 'react-i18next';
import { Page } from '../app/page';

export function RecordingPage() {
  const { t } = useTranslation('app');
  return <Page title={t('timeline')}>{null}</Page>;
}
