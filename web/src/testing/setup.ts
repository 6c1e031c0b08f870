import { cleanNotifications } from '@mantine/notifications';
import { afterEach } from 'vitest';

// Notifications are module state, which test files share.
afterEach(() => cleanNotifications());
