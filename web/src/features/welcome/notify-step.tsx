import { Alert, Button, Divider, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { problemText } from '../../api/problem';
import { DeviceNotifications } from '../notifications/device-notifications';
import { useSetPassword } from './welcome-queries';

/** Notifications on this device, and the password of the hub. */
export function NotifyStep({ hasPassword }: { readonly hasPassword: boolean | undefined }) {
  const { t } = useTranslation('welcome');
  return (
    <Stack>
      <section aria-labelledby="welcome-notify">
        <Title order={3} size="h5" id="welcome-notify" mb={4}>
          {t('notifications')}
        </Title>
        <DeviceNotifications />
      </section>
      <Divider />
      <section aria-labelledby="welcome-password">
        <Title order={3} size="h5" id="welcome-password" mb={4}>
          {t('password')}
        </Title>
        {hasPassword ? (
          <Alert color="green" icon={<IconCircleCheck aria-hidden />}>
            {t('password_set')}
          </Alert>
        ) : (
          <PasswordForm />
        )}
      </section>
    </Stack>
  );
}

function PasswordForm() {
  const { t } = useTranslation('welcome');
  const save = useSetPassword();
  const [password, setPassword] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (password !== '') save.mutate(password);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="xs" align="start">
        <Text size="sm">{t('password_why')}</Text>
        <PasswordInput
          label={t('new_password')}
          value={password}
          autoComplete="new-password"
          w="100%"
          maw="22rem"
          visibilityToggleButtonProps={{ 'aria-label': t('show_password') }}
          error={save.error === null ? undefined : problemText(t, save.error)}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Button type="submit" variant="light" loading={save.isPending} disabled={password === ''}>
          {t('set_password')}
        </Button>
      </Stack>
    </form>
  );
}
