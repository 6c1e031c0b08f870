import { useNotifications } from '@mantine/notifications';
import { lazy, Suspense, useState, useSyncExternalStore } from 'react';
import { unlockRequests } from '../session/unlock-request';
import { PreferencesIcon } from './preferences-icon';
import { useOnce } from './use-once';

const loadPreferences = () =>
  import('./preferences-menu').then((file) => ({ default: file.PreferencesMenu }));

const PreferencesMenu = lazy(loadPreferences);
const UnlockDialog = lazy(() =>
  import('../session/unlock-dialog').then((file) => ({ default: file.UnlockDialog })),
);
const Notices = lazy(() => import('./notices').then((file) => ({ default: file.Notices })));

/** The menu of preferences, loaded when somebody reaches for it. */
export function Preferences() {
  const [isAsked, setAsked] = useState(false);
  const icon = (
    <PreferencesIcon
      aria-haspopup="menu"
      onPointerEnter={() => void loadPreferences()}
      onClick={() => setAsked(true)}
    />
  );
  return isAsked ? (
    <Suspense fallback={icon}>
      <PreferencesMenu />
    </Suspense>
  ) : (
    icon
  );
}

/** What may appear over a page, loaded when it first does. */
export function Overlays() {
  const isUnlockAsked = useOnce(
    useSyncExternalStore(unlockRequests.subscribe, unlockRequests.current) !== undefined,
  );
  const isNoticeShown = useOnce(useNotifications().notifications.length > 0);
  return (
    <Suspense>
      {isUnlockAsked && <UnlockDialog />}
      {isNoticeShown && <Notices />}
    </Suspense>
  );
}
