import { cleanNotifications } from '@mantine/notifications';
import { configure } from '@testing-library/react';
import { afterEach } from 'vitest';
import { queryClient } from '../api/query-client';

// The machine may be slow.
configure({ asyncUtilTimeout: 30_000 });

// Test files share the state of modules and the storage of the browser.
afterEach(() => {
  cleanNotifications();
  queryClient.clear();
  localStorage.clear();
});
