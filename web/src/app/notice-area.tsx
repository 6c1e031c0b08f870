import '@mantine/notifications/styles.layer.css';
import { MantineThemeProvider, Notification } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { useTranslation } from 'react-i18next';

/** Shows notices; loaded with the first one. */
export function NoticeArea() {
  const { t } = useTranslation('app');
  const closeButtonProps = { 'aria-label': t('close_notice') };
  const components = { Notification: Notification.extend({ defaultProps: { closeButtonProps } }) };
  return (
    <MantineThemeProvider theme={{ components }} inherit>
      <Notifications position="top-center" />
    </MantineThemeProvider>
  );
}
