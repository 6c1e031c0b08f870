import { useTranslation } from 'react-i18next';
import { Page } from '../app/page';

export function SpeciesGallery() {
  const { t } = useTranslation('app');
  return <Page title={t('species')}>{null}</Page>;
}
