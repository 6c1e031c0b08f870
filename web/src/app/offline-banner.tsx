import { Alert } from '@mantine/core';
import { useNetwork } from '@mantine/hooks';
import { IconWifiOff } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

/** Says that what is seen is from before, while there is no network. */
export function OfflineBanner() {
  const { t } = useTranslation('states');
  const { online } = useNetwork();
  if (online) return null;
  return (
    <Alert role="status" color="yellow" variant="light" radius={0} icon={<IconWifiOff aria-hidden />}>
      {t('offline')}
    </Alert>
  );
}
