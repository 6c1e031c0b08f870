import { ActionIcon, Button, Group, Paper, Stack, Switch, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconArrowDown, IconArrowUp, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../components/confirm-dialog';
import { Failure, Loading } from '../../components/states';
import { type Rule, ruleSentence } from './rule';
import { RuleEditor } from './rule-editor';
import { rulesQuery, useChangeRule, useDeleteRule, useRuleNames } from './rules-queries';

/** The alert rules: a list, and dialogs to add, change and delete them. */
export function RulesSection() {
  const { t } = useTranslation('notifications');
  const { data: rules, error, refetch } = useQuery(rulesQuery);
  const [edited, setEdited] = useState<{ readonly rule: Rule | undefined }>();
  const [removed, setRemoved] = useState<Rule>();
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        {t('rules.intro')}
      </Text>
      {rules === undefined && error === null && <Loading rows={2} height={96} />}
      {rules === undefined && error !== null && <Failure error={error} onRetry={() => void refetch()} />}
      {rules?.length === 0 && <Text size="sm">{t('rules.none')}</Text>}
      {rules !== undefined && rules.length > 0 && (
        <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
          {rules.map((rule, index) => (
            <RuleCard
              key={rule.id}
              rule={rule}
              position={index + 1}
              isLast={index === rules.length - 1}
              onEdit={() => setEdited({ rule })}
              onRemove={() => setRemoved(rule)}
            />
          ))}
        </Stack>
      )}
      <Group>
        <Button
          variant="light"
          leftSection={<IconPlus size={18} aria-hidden />}
          onClick={() => setEdited({ rule: undefined })}
        >
          {t('rules.create')}
        </Button>
      </Group>
      {edited && <RuleEditor rule={edited.rule} onClose={() => setEdited(undefined)} />}
      {removed && <DeleteDialog rule={removed} onClose={() => setRemoved(undefined)} />}
    </Stack>
  );
}

interface RuleCardProps {
  readonly rule: Rule;
  /** Position among all rules, from 1. */
  readonly position: number;
  readonly isLast: boolean;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}

function RuleCard({ rule, position, isLast, onEdit, onRemove }: RuleCardProps) {
  const { t } = useTranslation('notifications');
  const names = useRuleNames();
  const change = useChangeRule();
  const { id, name, enabled } = rule;
  const move = (position: number) => !change.isPending && change.mutate({ id, position });
  return (
    <Paper component="li" withBorder p="sm" radius="md" bg="transparent">
      <Stack gap="xs">
        <Group justify="space-between" gap="sm" wrap="nowrap" align="flex-start">
          <Text fw={600} style={{ overflowWrap: 'anywhere' }} miw={0}>
            {name}
          </Text>
          <Switch
            aria-label={t('rules.enable_named', { name })}
            checked={enabled}
            // Not `disabled`, which would take the focus away.
            aria-disabled={change.isPending}
            onChange={({ currentTarget }) =>
              !change.isPending && change.mutate({ id, enabled: currentTarget.checked })
            }
          />
        </Group>
        <Text size="sm" {...(!enabled && { c: 'dimmed' })} style={{ overflowWrap: 'anywhere' }}>
          {ruleSentence(t, rule, names)}
        </Text>
        <Group gap="xs">
          <Button
            variant="default"
            size="sm"
            leftSection={<IconPencil size={16} aria-hidden />}
            aria-label={t('rules.edit_named', { name })}
            onClick={onEdit}
          >
            {t('rules.edit')}
          </Button>
          <Group gap={4} ml="auto" wrap="nowrap">
            <ActionIcon
              variant="subtle"
              size="lg"
              color="gray"
              aria-disabled={position === 1 || change.isPending}
              data-disabled={position === 1 || change.isPending}
              aria-label={t('rules.up_named', { name })}
              onClick={() => position > 1 && move(position - 1)}
            >
              <IconArrowUp size={18} aria-hidden />
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              size="lg"
              color="gray"
              aria-disabled={isLast || change.isPending}
              data-disabled={isLast || change.isPending}
              aria-label={t('rules.down_named', { name })}
              onClick={() => !isLast && move(position + 1)}
            >
              <IconArrowDown size={18} aria-hidden />
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              size="lg"
              color="gray"
              aria-label={t('rules.delete_named', { name })}
              onClick={onRemove}
            >
              <IconTrash size={18} aria-hidden />
            </ActionIcon>
          </Group>
        </Group>
      </Stack>
    </Paper>
  );
}

/** Asks before a rule is deleted. */
function DeleteDialog({ rule, onClose }: { readonly rule: Rule; readonly onClose: () => void }) {
  const { t } = useTranslation('notifications');
  const remove = useDeleteRule();
  const confirm = () =>
    remove.mutate(rule, {
      onSuccess: () => {
        notifications.show({ message: t('rules.deleted') });
        onClose();
      },
    });
  return (
    <ConfirmDialog
      isOpen
      title={t('rules.delete_title', { name: rule.name })}
      label={t('rules.delete')}
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={confirm}
      onClose={onClose}
    />
  );
}
