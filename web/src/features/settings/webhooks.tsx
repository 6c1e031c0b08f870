import { Anchor, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconPlus, IconWebhook } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { hub, unwrap } from '../../api/client';
import { hubUrl } from '../../api/hub-url';
import { ConfirmDialog } from '../../components/confirm-dialog';
import { CopyField } from '../../components/copy-field';
import type { SettingsTree } from './setting-values';
import { settingsQuery } from './settings-queries';
import { type Hook, listHooks } from './webhook';
import { WebhookEditor } from './webhook-editor';

/** URL to which programs post. */
const addressOf = ({ name }: Hook) => new URL(hubUrl(`/api/processor/hooks/${name}`), location.href).href;

/** Stores the list of hooks; it replaces the previous one. */
function useStoreHooks() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (hooks: readonly Hook[]) =>
      unwrap(hub.PATCH('/api/ui/settings', { body: { hooks: [...hooks] } })),
    onSuccess: ({ cleared_secrets: _, revoked_tokens: __, ...settings }) =>
      client.setQueryData(settingsQuery.queryKey, settings as unknown as SettingsTree),
  });
}

/** The hooks to which programs post: a list, and dialogs to create, change and delete them. */
export function Webhooks({ settings }: { readonly settings: SettingsTree }) {
  const { t } = useTranslation('settings');
  const hooks = listHooks(settings);
  const store = useStoreHooks();
  const [edited, setEdited] = useState<{ readonly hook: Hook | undefined }>();
  const [removed, setRemoved] = useState<Hook>();
  const save = (hook: Hook) => {
    const before = edited?.hook;
    const next = before === undefined ? [...hooks, hook] : hooks.map((one) => (one === before ? hook : one));
    store.mutate(next, {
      onSuccess: () => {
        setEdited(undefined);
        notifications.show({ message: t('saved') });
      },
    });
  };
  const edit = (hook: Hook | undefined) => {
    store.reset();
    setEdited({ hook });
  };
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        {t('hooks.intro')}
      </Text>
      {hooks.length === 0 ? (
        <Text size="sm">{t('hooks.none')}</Text>
      ) : (
        <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
          {hooks.map((hook) => (
            <HookCard
              key={hook.name}
              hook={hook}
              onEdit={() => edit(hook)}
              onRemove={() => setRemoved(hook)}
            />
          ))}
        </Stack>
      )}
      <Text size="sm">
        {t('hooks.token')}{' '}
        <Anchor
          inherit
          renderRoot={(props) => <Link to="/settings" hash="access" hashScrollIntoView={false} {...props} />}
        >
          {t('hooks.to_tokens')}
        </Anchor>
      </Text>
      <Group>
        <Button
          variant="light"
          leftSection={<IconPlus size={18} aria-hidden />}
          onClick={() => edit(undefined)}
        >
          {t('hooks.create')}
        </Button>
      </Group>
      {edited && (
        <WebhookEditor
          hook={edited.hook}
          taken={hooks.filter((one) => one !== edited.hook).map(({ name }) => name)}
          place={edited.hook === undefined ? hooks.length : hooks.indexOf(edited.hook)}
          error={store.error}
          isSaving={store.isPending}
          onSave={save}
          onClose={() => setEdited(undefined)}
        />
      )}
      {removed && (
        <RemoveHookDialog
          hook={removed}
          others={hooks.filter((one) => one !== removed)}
          onClose={() => setRemoved(undefined)}
        />
      )}
    </Stack>
  );
}

interface HookCardProps {
  readonly hook: Hook;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}

function HookCard({ hook, onEdit, onRemove }: HookCardProps) {
  const { t } = useTranslation('settings');
  const { name } = hook;
  return (
    <Paper component="li" withBorder p="sm" radius="md" bg="transparent">
      <Stack gap="xs">
        <Group justify="space-between" gap="sm">
          <Group gap="xs" miw={0} flex={1} wrap="nowrap">
            <IconWebhook size={18} stroke={1.6} aria-hidden />
            <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
              {name}
            </Text>
          </Group>
          <Group gap="xs" wrap="nowrap">
            <Button variant="default" size="sm" aria-label={t('hooks.edit_named', { name })} onClick={onEdit}>
              {t('hooks.edit')}
            </Button>
            <Button
              variant="default"
              size="sm"
              aria-label={t('hooks.remove_named', { name })}
              onClick={onRemove}
            >
              {t('hooks.remove')}
            </Button>
          </Group>
        </Group>
        <CopyField label={t('hooks.address')} value={addressOf(hook)} />
      </Stack>
    </Paper>
  );
}

interface RemoveHookDialogProps {
  readonly hook: Hook;
  readonly others: readonly Hook[];
  readonly onClose: () => void;
}

/** Asks before a hook is removed. */
function RemoveHookDialog({ hook: { name }, others, onClose }: RemoveHookDialogProps) {
  const { t } = useTranslation('settings');
  const store = useStoreHooks();
  return (
    <ConfirmDialog
      isOpen
      title={t('hooks.remove_title', { name })}
      label={t('hooks.remove')}
      isPending={store.isPending}
      error={store.error}
      onConfirm={() => store.mutate(others, { onSuccess: onClose })}
      onClose={onClose}
    >
      <Text size="sm">{t('hooks.remove_warning')}</Text>
    </ConfirmDialog>
  );
}
