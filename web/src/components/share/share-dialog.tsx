import {
  Anchor,
  Button,
  Group,
  Modal,
  SegmentedControl,
  Skeleton,
  Stack,
  Text,
  VisuallyHidden,
} from '@mantine/core';
import { IconDownload, IconLink, IconShare } from '@tabler/icons-react';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { hub, unwrap } from '../../api/client';
import { basePath, hubUrl } from '../../api/hub-url';
import { Problem, problemText, readProblem } from '../../api/problem';
import { useTimeFormat } from '../../lib/format';
import { useHubFacts } from '../../lib/hub-facts';
import { useObjectUrl } from '../../lib/use-object-url';
import { useOpenerFocus } from '../../lib/use-opener-focus';
import { CopyField } from '../copy-field';
import { showProblemNotice } from '../notices';
import { Failure } from '../states';
import type { Shareable } from './share-button';
import { sharesKey } from './shares-query';

interface ShareDialogProps {
  readonly isOpen: boolean;
  readonly what: Shareable | (() => Shareable);
  readonly title: string;
  readonly onClose: () => void;
}

/** Dialog with a public link, the URL in this hub and the card of a day. */
export function ShareDialog({ isOpen, what, title, onClose }: ShareDialogProps) {
  const { t } = useTranslation('share');
  useOpenerFocus(isOpen);
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={t('title')}
      closeButtonProps={{ 'aria-label': t('close') }}
      size={520}
      transitionProps={{ duration: 0 }}
      styles={{ title: { fontWeight: 650, fontSize: 'var(--mantine-font-size-lg)' } }}
    >
      {isOpen && <ShareChoices what={what} title={title} onClose={onClose} />}
    </Modal>
  );
}

function ShareChoices({ what, title, onClose }: Omit<ShareDialogProps, 'isOpen'>) {
  const { t, i18n } = useTranslation('share');
  const { t: shown } = useTranslation('components');
  // Evaluated when the dialog opens.
  const [shared] = useState(() => (typeof what === 'function' ? what() : what));
  const { isSharingAllowed } = useHubFacts();
  const url = addressOf(shared);
  const day = 'day' in shared ? shared.day : undefined;
  const { error } = useQuery({
    ...cardQuery(day ?? '', i18n.language, 'landscape'),
    enabled: day !== undefined,
  });
  const isNothingToShare = error instanceof Problem && error.code === 'nothing_on_day';
  return (
    <Stack gap="lg">
      {isNothingToShare ? (
        <Text size="sm" role="alert">
          {problemText(shown, error)}
        </Text>
      ) : (
        <>
          {day !== undefined && <DayCard day={day} title={title} />}
          {isSharingAllowed && <PublicLink shared={shared} title={title} />}
        </>
      )}
      <Stack gap="xs">
        <CopyField label={t('own_link')} description={t('own_link_hint')} value={url} />
        <SendButton title={title} url={url} isQuiet />
      </Stack>
      {isSharingAllowed ? (
        <Anchor size="sm" onClick={onClose} renderRoot={(props) => <Link to="/shares" {...props} />}>
          {t('to_shares')}
        </Anchor>
      ) : (
        <Text size="sm" c="dimmed">
          {t('forbidden')}
        </Text>
      )}
    </Stack>
  );
}

/** Returns the URL of a recording or a day in this hub. */
export function addressOf(shared: Shareable): string {
  const base = window.location.origin + basePath;
  if ('day' in shared) return `${base}/timeline?date=${shared.day}`;
  const { videoId, t } = shared;
  return `${base}/videos/${videoId}${t === undefined ? '' : `?t=${t}`}`;
}

const dayChoices = [1, 7, 30, 365] as const;

/** Creates a link that works for everybody. */
function PublicLink({ shared, title }: { readonly shared: Shareable; readonly title: string }) {
  const { t, i18n } = useTranslation('share');
  const { t: shown } = useTranslation('components');
  const { moment } = useTimeFormat();
  const queryClient = useQueryClient();
  const [days, setDays] = useState<number>(7);
  const create = useMutation({
    mutationFn: () =>
      unwrap(
        hub.POST('/api/ui/shares', {
          body: { ...toBody(shared), expires_in_days: days, language: i18n.language as 'en' },
        }),
      ),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: sharesKey }),
  });
  const { data: link, error } = create;
  const validity = link && t('valid_until', { date: moment(link.expires_at) });
  const isForbidden = error instanceof Problem && error.code === 'sharing_forbidden';
  return (
    <Stack gap="xs">
      <VisuallyHidden role="status">{link && `${t('public_link')}. ${validity}`}</VisuallyHidden>
      {link ? (
        <>
          <CopyField label={t('public_link')} description={validity} value={link.url} hasFocus />
          <SendButton title={title} url={link.url} />
        </>
      ) : (
        <>
          <Text size="sm">{t('day' in shared ? 'public_day_hint' : 'public_clip_hint')}</Text>
          <SegmentedControl
            fullWidth
            aria-label={t('valid_for')}
            value={String(days)}
            onChange={(value) => setDays(Number(value))}
            data={dayChoices.map((count) => ({ value: String(count), label: t(`days_${count}`) }))}
          />
          {error && (
            <Text size="sm" c="red" role="alert">
              {isForbidden ? t('forbidden') : problemText(shown, error)}
            </Text>
          )}
          <Button
            leftSection={<IconLink size={18} aria-hidden />}
            loading={create.isPending}
            onClick={() => create.mutate()}
          >
            {t('create')}
          </Button>
        </>
      )}
    </Stack>
  );
}

interface SendButtonProps {
  readonly title: string;
  readonly url: string;
  readonly isQuiet?: boolean;
}

/** Opens the share sheet of the device; renders nothing in browsers without one. */
function SendButton({ title, url, isQuiet = false }: SendButtonProps) {
  const { t } = useTranslation('share');
  if (!canShare({ url })) return null;
  return (
    <Button
      variant={isQuiet ? 'default' : 'filled'}
      leftSection={<IconShare size={18} aria-hidden />}
      onClick={() => void shareNatively({ title, url }, () => showProblemNotice(t('not_sent')))}
    >
      {t('send')}
    </Button>
  );
}

function toBody(shared: Shareable) {
  if ('day' in shared) return { day: shared.day };
  const { videoId, t } = shared;
  return { video_id: videoId, ...(t !== undefined && { t }) };
}

/** The card of a day, to download or to share as a picture. */
function DayCard({ day, title }: { readonly day: string; readonly title: string }) {
  const { t, i18n } = useTranslation('share');
  const canSend = canShare({ files: [new File([], 'birds.png', { type: 'image/png' })] });
  const landscape = useQuery(cardQuery(day, i18n.language, 'landscape'));
  // Loaded beforehand: browsers open the share sheet only directly after a click.
  const portrait = useQuery({ ...cardQuery(day, i18n.language, 'portrait'), enabled: canSend });
  const picture = useObjectUrl(landscape.data);
  const error = landscape.error ?? portrait.error;
  const retry = () => {
    for (const card of [landscape, portrait]) if (card.error) void card.refetch();
  };
  const send = (file: File) =>
    void shareNatively({ title, files: [file] }, () => showProblemNotice(t('not_sent')));
  return (
    <Stack gap="xs">
      {picture !== undefined && (
        <img
          src={picture}
          width={1200}
          height={630}
          alt={t('card', { day: title })}
          style={{ width: '100%', height: 'auto', borderRadius: 'var(--mantine-radius-md)' }}
        />
      )}
      {picture === undefined && error === null && <Skeleton style={{ aspectRatio: '1200 / 630' }} />}
      {error ? (
        <Failure error={error} onRetry={retry} />
      ) : (
        <Group gap="xs">
          {(['landscape', 'portrait'] as const).map((shape) => (
            <Button
              key={shape}
              flex="1 1 13rem"
              variant="default"
              component="a"
              href={cardAddress(day, i18n.language, shape)}
              download={`birds-${day}-${shape}.png`}
              leftSection={<IconDownload size={18} aria-hidden />}
            >
              {t(`card_${shape}`)}
            </Button>
          ))}
          {canSend && (
            <Button
              flex={1}
              leftSection={<IconShare size={18} aria-hidden />}
              loading={portrait.isFetching}
              disabled={portrait.data === undefined}
              onClick={() => portrait.data && send(portrait.data)}
            >
              {t('send_card')}
            </Button>
          )}
        </Group>
      )}
    </Stack>
  );
}

type CardShape = 'landscape' | 'portrait';

const cardAddress = (day: string, language: string, shape: CardShape) =>
  hubUrl(`/api/ui/day-card?date=${day}&language=${language}&shape=${shape}`);

/** The card of a day as a file. */
const cardQuery = (day: string, language: string, shape: CardShape) =>
  queryOptions({
    queryKey: ['day-card', day, language, shape],
    queryFn: async ({ signal }) => {
      const response = await fetch(cardAddress(day, language, shape), { signal });
      if (!response.ok) throw await readProblem(response);
      return new File([await response.blob()], `birds-${day}.png`, { type: 'image/png' });
    },
    gcTime: 0,
  });

function canShare(data: ShareData): boolean {
  return typeof navigator.canShare === 'function' && navigator.canShare(data);
}

/** Opens the share sheet; `onFailed` is not called when the user closes it. */
async function shareNatively(data: ShareData, onFailed: () => void): Promise<void> {
  try {
    await navigator.share(data);
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'AbortError')) onFailed();
  }
}
