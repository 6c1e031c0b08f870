import { Button, Modal, PasswordInput, Stack, Text } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { hub, unwrap } from '../../api/client';
import { problemText } from '../../api/problem';
import { queryClient } from '../../api/query-client';
import { type UnlockRequest, unlockRequests } from '../../api/unlock';
import { useOpenerFocus } from '../../lib/use-opener-focus';

function UnlockForm({ request }: { readonly request: UnlockRequest }) {
  const { t } = useTranslation('session');
  const [password, setPassword] = useState('');
  const unlock = useMutation({
    mutationFn: () => unwrap(hub.POST('/api/ui/settings/verify-password', { body: { password } })),
    onSuccess: ({ role }) => {
      // Only the role: the waiting call is repeated and loads its own data.
      queryClient.setQueryData(['access'], { unlocked: true, role });
      if (request.role === 'contributor' || role === 'admin') request.settle(true);
    },
  });
  const isInsufficient = unlock.isSuccess && request.role === 'admin' && unlock.data.role !== 'admin';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    unlock.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">{t(request.role === 'admin' ? 'why_admin' : 'why_contributor')}</Text>
        <PasswordInput
          label={t('password')}
          autoComplete="current-password"
          data-autofocus
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={unlock.error ? problemText(t, unlock.error) : isInsufficient && t('admin_only')}
        />
        <Button type="submit" loading={unlock.isPending} disabled={password === ''}>
          {t('unlock')}
        </Button>
      </Stack>
    </form>
  );
}

/** Asks for the password that a waiting call needs. */
export function UnlockDialog() {
  const { t } = useTranslation('session');
  const request = useSyncExternalStore(unlockRequests.subscribe, unlockRequests.current);
  const close = () => request?.settle(false);
  // Back and Forward
  useWindowEvent('popstate', close);
  useOpenerFocus(request !== undefined);
  return (
    <Modal
      opened={request !== undefined}
      onClose={close}
      title={t('title')}
      closeButtonProps={{ 'aria-label': t('close') }}
      size="sm"
      centered
    >
      {request && <UnlockForm request={request} />}
    </Modal>
  );
}
