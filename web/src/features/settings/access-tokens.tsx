import {
  Alert,
  Badge,
  Button,
  Checkbox,
  Group,
  Modal,
  NativeSelect,
  Paper,
  Stack,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconCopy, IconKey, IconPlus } from '@tabler/icons-react';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { hub, unwrap } from '../../api/client';
import { problemText } from '../../api/problem';
import type { components } from '../../api/schema';
import { ConfirmDialog } from '../../components/confirm-dialog';
import { ProblemAlert } from '../../components/problem-alert';
import { Failure, Loading } from '../../components/states';
import { camerasQuery, useCameraName } from '../../lib/cameras';
import { copyText } from '../../lib/copy-text';
import { addDays, type Day, isDay, startOfDay } from '../../lib/days';
import { useTimeFormat } from '../../lib/format';
import { useOpenerFocus } from '../../lib/use-opener-focus';

type AccessToken = components['schemas']['AccessToken'];
type Scope = AccessToken['scopes'][number];

const tokensQuery = queryOptions({
  queryKey: ['tokens'],
  queryFn: ({ signal }) => unwrap(hub.GET('/api/ui/tokens', { signal })),
});

interface AccessTokensProps {
  /** Whether anybody may create tokens, as no password is set. */
  readonly isUnprotected: boolean;
}

/** The access tokens of programs: a list, and dialogs to create and revoke them. */
export function AccessTokens({ isUnprotected }: AccessTokensProps) {
  const { t } = useTranslation('settings');
  const { data, error, refetch } = useQuery(tokensQuery);
  const [isCreating, setIsCreating] = useState(false);
  const [chosen, setChosen] = useState<AccessToken>();
  const [isRevoking, setIsRevoking] = useState(false);
  const confirmRevocation = (token: AccessToken) => {
    setChosen(token);
    setIsRevoking(true);
  };
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        {t('tokens.intro')}
      </Text>
      {isUnprotected && (
        <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />}>
          {t('tokens.unprotected')}
        </Alert>
      )}
      {data === undefined && error === null && <Loading rows={2} height={84} />}
      {data === undefined && error !== null && <Failure error={error} onRetry={() => void refetch()} />}
      {data?.length === 0 && <Text size="sm">{t('tokens.none')}</Text>}
      {data !== undefined && data.length > 0 && (
        <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
          {data.map((token) => (
            <TokenCard key={token.id} token={token} onRevoke={() => confirmRevocation(token)} />
          ))}
        </Stack>
      )}
      <Group>
        <Button
          variant="light"
          leftSection={<IconPlus size={18} aria-hidden />}
          onClick={() => setIsCreating(true)}
        >
          {t('tokens.create')}
        </Button>
      </Group>
      <CreateDialog isOpen={isCreating} onClose={() => setIsCreating(false)} />
      {chosen && <RevokeDialog token={chosen} isOpen={isRevoking} onClose={() => setIsRevoking(false)} />}
    </Stack>
  );
}

interface TokenCardProps {
  readonly token: AccessToken;
  readonly onRevoke: () => void;
}

function TokenCard({ token, onRevoke }: TokenCardProps) {
  const { t } = useTranslation('settings');
  const { moment, ago } = useTimeFormat();
  const cameraName = useCameraName();
  const now = new Date();
  const { name, scopes, cameras, created_at, expires_at, last_used_at, last_used_address } = token;
  const hasExpired = expires_at !== null && Date.parse(expires_at) <= now.getTime();
  const used =
    last_used_at === null
      ? t('tokens.never_used')
      : t('tokens.last_used', { when: ago(last_used_at, now), address: last_used_address ?? '' });
  const expiry =
    expires_at === null ? t('tokens.no_expiry') : t('tokens.expires', { when: moment(expires_at) });
  return (
    <Paper component="li" withBorder p="sm" radius="md" bg="transparent">
      <Group justify="space-between" align="flex-start" gap="sm">
        <Stack gap={6} miw={0} flex={1}>
          <Group gap="xs">
            <IconKey size={18} stroke={1.6} aria-hidden />
            <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
              {name}
            </Text>
            {hasExpired && <Badge color="red.9">{t('tokens.expired')}</Badge>}
          </Group>
          <Text size="sm">{scopes.map((scope) => t(`tokens.scope.${scope}`)).join(', ')}</Text>
          {cameras !== null && (
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {t('tokens.only_cameras', { cameras: cameras.map(cameraName).join(', ') })}
            </Text>
          )}
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {used} · {t('tokens.created', { when: moment(created_at) })}
            {hasExpired ? '' : ` · ${expiry}`}
          </Text>
        </Stack>
        <Button
          variant="default"
          size="sm"
          onClick={onRevoke}
          aria-label={t('tokens.revoke_named', { name })}
        >
          {t('tokens.revoke')}
        </Button>
      </Group>
    </Paper>
  );
}

const scopes: readonly Scope[] = ['processor', 'read', 'review', 'feeder', 'admin'];
const lifetimes = ['never', '30', '90', '365', 'date'] as const;
type Lifetime = (typeof lifetimes)[number];

interface DialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Asks for name and scope of a token, then shows the token once. */
function CreateDialog({ isOpen, onClose }: DialogProps) {
  const { t } = useTranslation('settings');
  useOpenerFocus(isOpen);
  const client = useQueryClient();
  const create = useMutation({
    mutationFn: (body: components['schemas']['NewToken']) => unwrap(hub.POST('/api/ui/tokens', { body })),
    // Not awaited, so that the token is shown immediately.
    onSuccess: () => void client.invalidateQueries({ queryKey: tokensQuery.queryKey }),
  });
  const isCreated = create.data !== undefined;
  const close = () => {
    // The token is shown only once, so its creation cannot be left.
    if (create.isPending) return;
    create.reset();
    onClose();
  };
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      title={t(isCreated ? 'tokens.created_title' : 'tokens.create')}
      closeButtonProps={{ 'aria-label': t('tokens.close'), disabled: create.isPending }}
      // It must not be closed by accident.
      closeOnClickOutside={!isCreated}
      closeOnEscape={!isCreated}
      size="lg"
    >
      {isCreated ? (
        <CreatedToken token={create.data.token} onClose={close} />
      ) : (
        <CreateForm error={create.error} isPending={create.isPending} onCreate={create.mutate} />
      )}
    </Modal>
  );
}

interface CreateFormProps {
  readonly error: Error | null;
  readonly isPending: boolean;
  readonly onCreate: (token: components['schemas']['NewToken']) => void;
}

function CreateForm({ error, isPending, onCreate }: CreateFormProps) {
  const { t } = useTranslation('settings');
  const { zone } = useTimeFormat();
  const { data: cameras = [] } = useQuery(camerasQuery);
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<string[]>([]);
  const [allowed, setAllowed] = useState<string[]>([]);
  const [lifetime, setLifetime] = useState<Lifetime>('never');
  const [date, setDate] = useState('');
  const isForProcessor = chosen.includes('processor');
  const isComplete = name.trim() !== '' && chosen.length > 0 && (lifetime !== 'date' || isDay(date));

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const expiresAt = expiryOf(lifetime, date, zone);
    onCreate({
      name,
      scopes: scopes.filter((scope) => chosen.includes(scope)),
      ...(expiresAt !== undefined && { expires_at: expiresAt }),
      ...(isForProcessor && allowed.length > 0 && { cameras: allowed }),
    });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label={t('tokens.name')}
          description={t('tokens.name_help')}
          maxLength={80}
          data-autofocus
          autoComplete="off"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Checkbox.Group label={t('tokens.scopes')} value={chosen} onChange={setChosen}>
          <Stack gap="sm" mt="xs">
            {scopes.map((scope) => (
              <Checkbox
                key={scope}
                value={scope}
                label={t(`tokens.scope.${scope}`)}
                description={t(`tokens.scope.${scope}.help`)}
              />
            ))}
          </Stack>
        </Checkbox.Group>
        {isForProcessor && (
          <TagsInput
            label={t('tokens.cameras')}
            description={t('tokens.cameras_help')}
            data={cameras.map(({ id }) => id)}
            maxTags={50}
            value={allowed}
            onChange={setAllowed}
          />
        )}
        <NativeSelect
          label={t('tokens.lifetime')}
          value={lifetime}
          data={lifetimes.map((value) => ({ value, label: t(`tokens.lifetime.${value}`) }))}
          onChange={(event) => setLifetime(event.currentTarget.value as Lifetime)}
        />
        {lifetime === 'date' && (
          <TextInput
            type="date"
            label={t('tokens.last_day')}
            value={date}
            onChange={(event) => setDate(event.currentTarget.value)}
          />
        )}
        {error !== null && <ProblemAlert>{problemText(t, error)}</ProblemAlert>}
        <Group justify="flex-end">
          <Button type="submit" loading={isPending} disabled={!isComplete}>
            {t('tokens.create')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const dayMs = 86_400_000;

/** Returns when a token expires; for a last day, at its end in a zone (IANA name). */
function expiryOf(lifetime: Lifetime, lastDay: Day, zone: string): string | undefined {
  if (lifetime === 'never') return undefined;
  if (lifetime === 'date') return startOfDay(addDays(lastDay, 1), zone).toISOString();
  return new Date(Date.now() + Number(lifetime) * dayMs).toISOString();
}

/** The created token, with a copy button. */
function CreatedToken({ token, onClose }: { readonly token: string; readonly onClose: () => void }) {
  const { t } = useTranslation('settings');
  const field = useRef<HTMLInputElement>(null);
  const [isCopied, setIsCopied] = useState(false);
  const copy = async () => setIsCopied(await copyText(token, field.current));
  return (
    <Stack>
      <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />}>
        {t('tokens.shown_once')}
      </Alert>
      <TextInput
        ref={field}
        label={t('tokens.token')}
        description={t('tokens.how_to_send')}
        value={token}
        readOnly
        data-autofocus
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        onFocus={(event) => event.currentTarget.select()}
      />
      <Group justify="flex-end">
        <Button
          variant="light"
          leftSection={isCopied ? <IconCheck size={18} aria-hidden /> : <IconCopy size={18} aria-hidden />}
          onClick={() => void copy()}
        >
          {t(isCopied ? 'tokens.copied' : 'tokens.copy')}
        </Button>
        <Button onClick={onClose}>{t('tokens.done')}</Button>
      </Group>
    </Stack>
  );
}

interface RevokeDialogProps extends DialogProps {
  readonly token: AccessToken;
}

/** Asks before a token is revoked. */
function RevokeDialog({ token: { id, name }, isOpen, onClose }: RevokeDialogProps) {
  const { t } = useTranslation('settings');
  const client = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => unwrap(hub.DELETE('/api/ui/tokens/{id}', { params: { path: { id } } })),
    onSuccess: onClose,
    // Another browser may have revoked it.
    onSettled: () => client.invalidateQueries({ queryKey: tokensQuery.queryKey }),
  });
  const { reset } = revoke;
  useEffect(() => {
    if (isOpen) reset();
  }, [isOpen, reset]);
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={t('tokens.revoke_title', { name })}
      label={t('tokens.revoke')}
      isPending={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate()}
      onClose={onClose}
    >
      <Text size="sm">{t('tokens.revoke_warning')}</Text>
    </ConfirmDialog>
  );
}
