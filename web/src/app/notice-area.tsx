import '@mantine/notifications/styles.css';
import { Notifications } from '@mantine/notifications';

/** Shows notices; loaded with the first one. */
export function NoticeArea() {
  return <Notifications position="top-center" />;
}
