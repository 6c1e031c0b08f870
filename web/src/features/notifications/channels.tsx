import { Badge, Button, Group, Paper, Skeleton, Stack, Switch, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import {
  IconBell,
  IconBrandDiscord,
  IconBrandTelegram,
  IconDeviceMobileMessage,
  IconMail,
  IconPlugConnected,
  IconShare,
  IconWebhook,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { problemText } from '../../api/problem';
import { useSentences } from '../../api/sentences';
import { ConfirmDialog } from '../../components/confirm-dialog';
import { Failure } from '../../components/states';
import { useTimeFormat } from '../../lib/format';
import { ChannelEditor } from './channel-editor';
import { type Channel, type ChannelKind, channelKinds } from './channel-kinds';
import { channelsQuery, useRemoveChannel, useSaveChannel, useTestChannel } from './channel-queries';

export { useChannels } from './channel-queries';

const icons = {
  web_push: IconBell,
  webhook: IconWebhook,
  telegram: IconBrandTelegram,
  ntfy: IconDeviceMobileMessage,
  discord: IconBrandDiscord,
  email: IconMail,
  mqtt: IconPlugConnected,
  apprise: IconShare,
} as const satisfies Record<ChannelKind, unknown>;

const colors = { ok: 'green', unused: 'gray', failing: 'red', paused: 'gray' } as const;

/** The open dialog. */
type Opened =
  | { readonly what: 'add'; readonly kind: ChannelKind }
  | { readonly what: 'edit' | 'remove'; readonly channel: Channel };

/** The notification channels: a list, and forms to add and change them. */
export function ChannelList() {
  const { t } = useTranslation('notifications');
  const { data: channels, error, isFetching, refetch } = useQuery(channelsQuery);
  const [opened, setOpened] = useState<Opened>();
  if (channels === undefined) {
    if (error === null || isFetching) return <Skeleton height={120} radius="md" />;
    return <Failure error={error} onRetry={() => void refetch()} />;
  }
  const taken = channels.map(({ name }) => name);
  const offered = channelKinds.filter(
    (kind) => kind !== 'web_push' || !channels.some((channel) => channel.kind === kind),
  );
  const close = () => setOpened(undefined);
  return (
    <Stack gap="lg">
      {channels.length === 0 && <Text c="dimmed">{t('channel.none')}</Text>}
      <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
        {channels.map((channel) => (
          <ChannelCard
            key={channel.id}
            channel={channel}
            onEdit={() => setOpened({ what: 'edit', channel })}
            onRemove={() => setOpened({ what: 'remove', channel })}
          />
        ))}
      </Stack>
      <Stack gap="xs">
        <Title order={3} size="h5">
          {t('channel.add_title')}
        </Title>
        <Group gap="xs">
          {offered.map((kind) => (
            <AddButton key={kind} kind={kind} onAdd={() => setOpened({ what: 'add', kind })} />
          ))}
        </Group>
      </Stack>
      {opened?.what === 'add' && (
        <ChannelEditor kind={opened.kind} stored={undefined} taken={taken} onClose={close} />
      )}
      {opened?.what === 'edit' && (
        <ChannelEditor kind={opened.channel.kind} stored={opened.channel} taken={taken} onClose={close} />
      )}
      {opened?.what === 'remove' && <RemoveChannelDialog channel={opened.channel} onClose={close} />}
    </Stack>
  );
}

function AddButton({ kind, onAdd }: { readonly kind: ChannelKind; readonly onAdd: () => void }) {
  const { t } = useTranslation('notifications');
  const Icon = icons[kind];
  return (
    <Button variant="default" leftSection={<Icon size={18} stroke={1.6} aria-hidden />} onClick={onAdd}>
      {t(`channel.kind.${kind}`)}
    </Button>
  );
}

interface ChannelCardProps {
  readonly channel: Channel;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}

function ChannelCard({ channel, onEdit, onRemove }: ChannelCardProps) {
  const { t } = useTranslation('notifications');
  const { number } = useTimeFormat();
  const { id, kind, name, enabled, state, error, sentences, recipients, waiting } = channel;
  const translate = useSentences();
  const save = useSaveChannel();
  const test = useTestChannel();
  const Icon = icons[kind];
  const titleId = `channel-${id}`;
  const named = (action: 'test' | 'edit' | 'remove') => ({
    'aria-label': t('channel.action_named', { action: t(`channel.${action}`), name }),
  });
  const browsers =
    kind === 'web_push' ? t('channel.browsers', { count: recipients, number: number(recipients) }) : '';
  const queue = waiting > 0 ? t('channel.waiting', { count: waiting, number: number(waiting) }) : '';
  const outcome =
    test.data &&
    (test.data.ok ? t('channel.test_ok_help') : translate(test.data.sentences, test.data.message));
  const failed = test.error ?? save.error;
  return (
    <Paper component="li" withBorder p="md" radius="md" bg="var(--card-background)" aria-labelledby={titleId}>
      <Stack gap="xs">
        <Group wrap="nowrap" align="flex-start" gap="sm">
          <Icon size={24} stroke={1.6} aria-hidden style={{ flex: 'none' }} />
          <Stack gap={2} miw={0} flex={1}>
            <Group gap="xs">
              <Title order={3} size="h5" id={titleId} style={{ overflowWrap: 'anywhere' }}>
                {name}
              </Title>
              <Badge color={colors[state]} variant="light" tt="none">
                {t(`channel.state.${state}`)}
              </Badge>
            </Group>
            <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              {[t(`channel.kind.${kind}`), addressOf(channel), browsers, queue].filter(Boolean).join(' · ')}
            </Text>
          </Stack>
          <Switch
            checked={enabled}
            // Not `disabled`, which would take the focus away.
            aria-disabled={save.isPending}
            aria-label={t('channel.enabled', { name })}
            onChange={({ currentTarget }) =>
              !save.isPending && save.mutate({ id, kind, enabled: currentTarget.checked })
            }
          />
        </Group>
        {error !== null && enabled && (
          <Text size="sm" c="var(--mantine-color-error)" style={{ overflowWrap: 'anywhere' }}>
            {t('channel.last_error', { error: translate(sentences, error) })}
          </Text>
        )}
        <div aria-live="polite">
          {outcome && !test.isPending && (
            <Text size="sm" {...(test.data?.ok === false && { c: 'var(--mantine-color-error)' })}>
              {outcome}
            </Text>
          )}
          {failed && (
            <Text size="sm" c="var(--mantine-color-error)">
              {problemText(t, failed)}
            </Text>
          )}
        </div>
        <Group gap="xs">
          <Button
            variant="light"
            size="sm"
            loading={test.isPending}
            onClick={() => test.mutate({ id })}
            {...named('test')}
          >
            {t('channel.test')}
          </Button>
          <Button variant="default" size="sm" onClick={onEdit} {...named('edit')}>
            {t('channel.edit')}
          </Button>
          <Button variant="default" size="sm" onClick={onRemove} {...named('remove')}>
            {t('channel.remove')}
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}

/** Returns a short description of the destination of a channel. */
function addressOf({ kind, options }: Channel): string {
  const own = options as Readonly<Record<string, unknown>>;
  const text = (name: string) => (typeof own[name] === 'string' ? own[name] : '');
  if (kind === 'ntfy') return `${text('url').replace(/^https?:\/\//, '')}/${text('topic')}`;
  if (kind === 'telegram') return text('chat_id');
  if (kind === 'email') return [own['to']].flat().join(', ');
  if (kind === 'mqtt') return text('topic');
  return text('url').replace(/^https?:\/\//, '');
}

function RemoveChannelDialog({
  channel: { id, name },
  onClose,
}: {
  readonly channel: Channel;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation('notifications');
  const remove = useRemoveChannel();
  const act = () =>
    remove.mutate(id, {
      onSuccess: () => {
        notifications.show({ message: t('channel.removed', { name }) });
        onClose();
      },
    });
  return (
    <ConfirmDialog
      isOpen
      title={t('channel.remove_title', { name })}
      label={t('channel.remove')}
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={act}
      onClose={onClose}
    >
      <Text size="sm">{t('channel.remove_intro')}</Text>
    </ConfirmDialog>
  );
}
