import { Button } from '@mantine/core';
import { IconLock, IconLockOpen } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { hub, unwrap } from '../../api/client';
import { accessQuery, refetchAll } from './access';
import { requestUnlock } from './unlock';

/** Locks or unlocks the hub for this browser; hidden while the hub has no password. */
export function SessionButton() {
  const { t } = useTranslation('session');
  const { data: needs } = useQuery({
    queryKey: ['requires-password'],
    queryFn: ({ signal }) => unwrap(hub.GET('/api/ui/settings/requires-password', { signal })),
  });
  const { data: access } = useQuery(accessQuery);
  const lock = useMutation({
    mutationFn: () => unwrap(hub.POST('/api/ui/settings/logout')),
    onSuccess: refetchAll,
  });
  if (!needs?.requires || access === undefined) return null;
  const unlock = async () => {
    if (await requestUnlock('contributor')) await refetchAll();
  };
  return access.unlocked ? (
    <Button
      variant="subtle"
      size="compact-md"
      leftSection={<IconLockOpen size={18} aria-hidden />}
      title={t(access.role === 'admin' ? 'unlocked_admin' : 'unlocked_contributor')}
      loading={lock.isPending}
      onClick={() => lock.mutate()}
    >
      {t('lock')}
    </Button>
  ) : (
    <Button
      variant="subtle"
      size="compact-md"
      leftSection={<IconLock size={18} aria-hidden />}
      onClick={() => void unlock()}
    >
      {t('unlock_short')}
    </Button>
  );
}
