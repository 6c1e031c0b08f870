import { ActionIcon, TextInput, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { copyText } from '../lib/copy-text';

interface CopyFieldProps {
  readonly label: string;
  readonly description?: ReactNode;
  readonly value: string;
  /** Takes the focus when it appears. */
  readonly hasFocus?: boolean;
}

/** A read-only text field with a copy button. */
export function CopyField({ label, description, value, hasFocus = false }: CopyFieldProps) {
  const { t } = useTranslation('components');
  const field = useRef<HTMLInputElement>(null);
  const [copied, setCopied] = useState<string>();
  useEffect(() => {
    if (hasFocus) field.current?.focus();
  }, [hasFocus]);
  const isCopied = copied === value;
  const copy = async () => setCopied((await copyText(value, field.current)) ? value : undefined);
  const action = t(isCopied ? 'copied' : 'copy', { what: label });
  return (
    <TextInput
      ref={field}
      label={label}
      description={description}
      value={value}
      readOnly
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      onFocus={(event) => event.currentTarget.select()}
      rightSection={
        <Tooltip label={action} openDelay={400}>
          <ActionIcon variant="subtle" aria-label={action} onClick={() => void copy()}>
            {isCopied ? <IconCheck size={18} aria-hidden /> : <IconCopy size={18} aria-hidden />}
          </ActionIcon>
        </Tooltip>
      }
    />
  );
}
