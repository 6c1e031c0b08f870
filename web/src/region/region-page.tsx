import { useTranslation } from 'react-i18next';
import { Page } from '../app/page';

export function RegionPage() {
  const { t } = useTranslation('app');
  return <Page title={t('region')}>{null}</Page>;
}
