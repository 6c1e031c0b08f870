import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useChannels } from './channels';
import { birdPlaceholders, hubPlaceholders, isAboutHub } from './rule';
import { Chips } from './rule-conditions';
import type { RulePartProps } from './rule-editor';

/** The channels that receive the message. */
export function ChannelChips({ draft, onChange }: RulePartProps) {
  const { t } = useTranslation('notifications');
  const channels = useChannels();
  const known = channels.map(({ id, name }) => ({ value: String(id), label: name }));
  const deleted = draft.channels.map(String).filter((id) => !known.some(({ value }) => value === id));
  return (
    <Chips
      label={t('rule.channels')}
      help={t('rule.channels_help')}
      options={[...known, ...deleted.map((id) => ({ value: id, label: t('rule.deleted_channel', { id }) }))]}
      value={draft.channels.map(String)}
      onChange={(value) => onChange({ channels: value.map(Number) })}
    />
  );
}

const maxLength = 500;

/** Template of the message, with buttons that insert placeholders. */
export function TemplateField({ draft, onChange, problemOf }: RulePartProps) {
  const { t } = useTranslation('notifications');
  const field = useRef<HTMLTextAreaElement>(null);
  const names = isAboutHub(draft.when) ? hubPlaceholders : birdPlaceholders;
  const insert = (name: string) => {
    const { selectionStart: start = 0, selectionEnd: end = 0 } = field.current ?? {};
    const template = `${draft.template.slice(0, start)}{${name}}${draft.template.slice(end)}`;
    if (template.length > maxLength) return;
    onChange({ template });
    field.current?.focus();
  };
  return (
    <Stack gap="xs">
      <Textarea
        ref={field}
        label={t('rule.template')}
        description={t('rule.template_help')}
        placeholder={t('rule.template_default')}
        rows={3}
        resize="vertical"
        maxLength={maxLength}
        value={draft.template}
        error={problemOf('template')}
        onChange={({ currentTarget }) => onChange({ template: currentTarget.value })}
      />
      <Group gap={6} role="group" aria-label={t('rule.insert')}>
        <Text size="sm" c="dimmed">
          {t('rule.insert')}
        </Text>
        {names.map((name) => (
          <Button key={name} variant="default" size="compact-sm" onClick={() => insert(name)}>
            {t(`rule.placeholder.${name}`)}
          </Button>
        ))}
      </Group>
    </Stack>
  );
}
