import { Button } from '@mantine/core';
import { IconLock, IconLockOpen } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { hub, unwrap } from '../../api/client';
import { problemText } from '../../api/problem';
import { isLocked, queryClient } from '../../api/query-client';
import { requestUnlock, withoutUnlock } from '../../api/unlock';
import { showProblemNotice } from '../../components/notices';
import { type Access, refetchAll } from './access';

/** Drops all data that is refused without the password, which is not asked for. */
async function dropLockedData(): Promise<void> {
  queryClient.removeQueries({ type: 'inactive' });
  await withoutUnlock(refetchAll);
  const locked = queryClient.getQueryCache().findAll({ predicate: isLocked });
  for (const query of locked) query.setState({ data: undefined });
}

/** Locks or unlocks a hub that has a password; loaded only in that case. */
export function SessionSwitch({ access }: { readonly access: Access }) {
  const { t } = useTranslation('session');
  const lock = useMutation({
    mutationFn: () => unwrap(hub.POST('/api/ui/settings/logout')),
    onSuccess: dropLockedData,
    onError: (error) => showProblemNotice(problemText(t, error)),
  });
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
