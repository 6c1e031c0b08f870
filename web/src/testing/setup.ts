import { cleanNotifications } from '@mantine/notifications';
import { afterEach } from 'vitest';

// They are in a module, which the tests of several files share.
afterEach(() => cleanNotifications());
