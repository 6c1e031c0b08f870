import { Alert } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** What a new admin password will do once it is stored; an empty one takes it away. */
export function PasswordNote({ password }: { readonly password: unknown }) {
  const { t } = useTranslation('settings');
  if (password === undefined) return null;
  return (
    <Alert role="status" color={password === '' ? 'yellow' : 'moss'} variant="light">
      {t(password === '' ? 'password_will_open' : 'password_will_lock')}
    </Alert>
  );
}
