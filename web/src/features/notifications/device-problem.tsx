import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Problem, problemText } from '../../api/problem';

/** What went wrong, in words; nothing where nothing did. */
export function DeviceProblem({ error }: { readonly error: Error | null }) {
  const { t } = useTranslation('notifications');
  if (error === null) return null;
  const isFull = error instanceof Problem && error.code === 'too_many_subscriptions';
  // What is no answer of the hub comes from the browser and its push service.
  const words = error instanceof Problem ? problemText(t, error) : t('browser_failed');
  return (
    <Text size="sm" c="var(--mantine-color-error)" role="alert">
      {isFull ? t('device_limit') : words}
    </Text>
  );
}
