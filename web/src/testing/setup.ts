import { cleanNotifications } from '@mantine/notifications';
import { afterEach } from 'vitest';
import { queryClient } from '../api/query-client';

// Test files share the state of modules and the storage of the browser.
afterEach(() => {
  cleanNotifications();
  queryClient.clear();
  localStorage.clear();
});
