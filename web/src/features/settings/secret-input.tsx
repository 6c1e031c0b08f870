import { Button, Group, PasswordInput, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { InputProps } from './setting-input';

/** What the hub gives in place of a secret, and takes for the one it has. */
const masked = '***';

/** A secret is written, never read: one that is set is kept, replaced or taken away. */
export function SecretInput({ field, stored, value, onChange, shown }: InputProps) {
  const { t } = useTranslation('settings');
  const isSet = stored === masked;
  const typed = typeof value !== 'string' || value === masked ? '' : value;
  const willGo = isSet && value === '';
  return (
    <div>
      <PasswordInput
        {...shown}
        autoComplete="new-password"
        maxLength={field.schema.maxLength}
        placeholder={isSet ? t('secret_replace') : undefined}
        value={typed}
        // Emptied again, it is as if nothing had been typed.
        onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? stored : currentTarget.value)}
        styles={{ wrapper: { maxWidth: '26rem' } }}
      />
      {isSet && typed === '' && (
        <Group gap="xs" mt={4}>
          <Text size="sm" c="dimmed" role="status">
            {t(willGo ? 'secret_will_go' : 'secret_set')}
          </Text>
          <Button
            variant="subtle"
            size="compact-sm"
            color={willGo ? 'moss' : 'red'}
            aria-label={`${t(willGo ? 'keep' : 'secret_clear')}: ${shown.label}`}
            onClick={() => onChange(willGo ? stored : '')}
          >
            {t(willGo ? 'keep' : 'secret_clear')}
          </Button>
        </Group>
      )}
    </div>
  );
}
