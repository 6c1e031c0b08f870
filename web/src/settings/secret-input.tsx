import { Button, Group, PasswordInput, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { InputProps } from './setting-input';

/** What the hub gives in place of a secret, and takes for the one it has. */
const masked = '***';

/** A secret is written, never read: one that is set is replaced or taken away. */
export function SecretInput({ field, value, onChange, label, description, error }: InputProps) {
  const { t } = useTranslation('settings');
  const isKept = value === masked;
  const typed = isKept || typeof value !== 'string' ? '' : value;
  return (
    <div>
      <PasswordInput
        label={label}
        description={description}
        error={error}
        autoComplete="new-password"
        maxLength={field.schema.maxLength}
        placeholder={isKept ? t('secret_replace') : undefined}
        value={typed}
        onChange={(event) => onChange(event.currentTarget.value === '' ? masked : event.currentTarget.value)}
        maw={420}
      />
      {isKept && (
        <Group gap="xs" mt={4}>
          <Text size="sm" c="dimmed">
            {t('secret_set')}
          </Text>
          <Button variant="subtle" size="compact-sm" color="red" onClick={() => onChange('')}>
            {t('secret_clear')}
          </Button>
        </Group>
      )}
    </div>
  );
}
