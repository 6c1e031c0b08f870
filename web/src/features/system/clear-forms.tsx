import { Alert, Anchor, Button, Checkbox, Group, List, Modal, Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { hub, unwrap } from '../../api/client';
import { problemText } from '../../api/problem';
import { addDays, isDay } from '../../lib/days';
import { describeBytes, useTimeFormat } from '../../lib/format';
import { useHasRole } from '../session/access';

const defaultDays = 90;

/** Deletes videos up to a chosen day. */
export function PurgeForm() {
  const { t } = useTranslation('system');
  const { language, today, longDay } = useTimeFormat();
  const [date, setDate] = useState(() => addDays(today(), -defaultDays));
  const [withFavorites, setWithFavorites] = useState(false);
  const purge = useDryRun({
    run: (chosen: { readonly date: string; readonly include_favorites: boolean }, step) =>
      unwrap(hub.POST('/api/ui/storage/purge', { body: { ...chosen, ...step } })),
    onDone: ({ deletedSize }) =>
      notifications.show({ message: t('cleared', { size: describeBytes(language, deletedSize) }) }),
  });
  const keptFavorites = purge.preview?.keptFavorites ?? 0;
  const previewed = purge.chosen?.date ?? '';
  return (
    <>
      <Group align="flex-end">
        <TextInput
          type="date"
          label={t('purge_until')}
          value={date}
          max={today()}
          disabled={purge.isPreviewing}
          onChange={(event) => setDate(event.currentTarget.value)}
        />
        <Button
          variant="light"
          loading={purge.isPreviewing}
          disabled={!isDay(date)}
          onClick={() => purge.requestPreview({ date, include_favorites: withFavorites })}
        >
          {t('purge_look')}
        </Button>
      </Group>
      <Checkbox
        label={t('with_favorites')}
        checked={withFavorites}
        disabled={purge.isPreviewing}
        onChange={(event) => setWithFavorites(event.currentTarget.checked)}
      />
      <DeleteDialog
        isOpen={purge.isPreviewed}
        title={t('purge_title', { day: isDay(previewed) ? longDay(previewed) : previewed })}
        preview={purge.preview}
        isActing={purge.isActing}
        onAct={purge.act}
        onClose={purge.dismiss}
      >
        <Text size="sm">{t('history_stays')}</Text>
        {keptFavorites > 0 && <Text size="sm">{t('favorites_stay', { count: keptFavorites })}</Text>}
      </DeleteDialog>
    </>
  );
}

const reasons = ['age', 'max_gb', 'min_free', 'favorite', 'best_of_species'] as const;

/** Applies the retention rules now. */
export function RetentionForm() {
  const { t } = useTranslation('system');
  const { language, number } = useTimeFormat();
  const retention = useDryRun({
    run: (_: undefined, step) => unwrap(hub.POST('/api/ui/system/retention', { body: step })),
    onDone: ({ deletedSize }) =>
      notifications.show({ message: t('cleared', { size: describeBytes(language, deletedSize) }) }),
  });
  const { preview } = retention;
  return (
    <>
      <Text size="sm">
        {t('retention_help')}{' '}
        <Anchor
          inherit
          renderRoot={(props) => <Link to="/settings" hash="storage" hashScrollIntoView={false} {...props} />}
        >
          {t('retention_settings')}
        </Anchor>
      </Text>
      <AwaitedConfirmation />
      <Button
        variant="light"
        loading={retention.isPreviewing}
        onClick={() => retention.requestPreview(undefined)}
        style={{ alignSelf: 'start' }}
      >
        {t('retention_look')}
      </Button>
      <DeleteDialog
        isOpen={retention.isPreviewed}
        title={t('retention_title')}
        preview={preview}
        isActing={retention.isActing}
        onAct={retention.act}
        onClose={retention.dismiss}
      >
        <Text size="sm">{t('history_stays')}</Text>
        {preview && (
          <List size="sm">
            {reasons
              .filter((reason) => preview.reasons[reason] > 0)
              .map((reason) => (
                <List.Item key={reason}>
                  {t(`reason.${reason}`)}: {number(preview.reasons[reason])}
                </List.Item>
              ))}
          </List>
        )}
      </DeleteDialog>
    </>
  );
}

/** Tells an admin that the automatic clean-up waits for a confirmation; the page asks nobody for the password because of it. */
export function AwaitedConfirmation() {
  const { t } = useTranslation('system');
  const { number } = useTimeFormat();
  const isAdmin = useHasRole('admin');
  const { data } = useQuery({
    queryKey: ['storage', 'retention'],
    queryFn: ({ signal }) => unwrap(hub.GET('/api/ui/system/retention', { signal })),
    enabled: isAdmin,
  });
  const awaited = data?.last_run?.awaiting_confirmation;
  if (!isAdmin || !awaited) return null;
  const { count, total } = awaited;
  return (
    <Alert color="yellow">{t('retention_waits', { number: number(count), total: number(total) })}</Alert>
  );
}

interface DeleteDialogProps {
  readonly isOpen: boolean;
  readonly title: string;
  /** What would be deleted; undefined before the preview. */
  readonly preview: { readonly deletedCount: number; readonly deletedSize: number } | undefined;
  readonly isActing: boolean;
  readonly onAct: () => void;
  readonly onClose: () => void;
  /** Further notes. */
  readonly children: ReactNode;
}

/** Shows what would be deleted and asks for confirmation. */
function DeleteDialog(props: DeleteDialogProps) {
  const { isOpen, title, preview, isActing, onAct, onClose, children } = props;
  const { t } = useTranslation('system');
  const { language, number } = useTimeFormat();
  const count = preview?.deletedCount ?? 0;
  const size = describeBytes(language, preview?.deletedSize ?? 0);
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={title}
      closeButtonProps={{ 'aria-label': t('close') }}
      centered
    >
      <Stack>
        <Text>
          {count === 0 ? t('nothing_to_clear') : t('would_clear', { count, number: number(count), size })}
        </Text>
        {children}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t(count === 0 ? 'close' : 'cancel')}
          </Button>
          {count > 0 && (
            <Button color="red.9" loading={isActing} onClick={onAct}>
              {t('clear_now')}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}

/** A deletion of what was chosen, with a dry run. */
interface Deletion<Chosen, Result> {
  run(chosen: Chosen, step: { readonly dry_run: boolean; readonly confirm: boolean }): Promise<Result>;
  onDone(result: Result): void;
}

/** Deletes files in two steps: a preview, then the deletion of what was previewed. */
function useDryRun<Chosen, Result>({ run, onDone }: Deletion<Chosen, Result>) {
  const { t } = useTranslation('system');
  const client = useQueryClient();
  const [isPreviewed, setIsPreviewed] = useState(false);
  const onError = (error: Error) => notifications.show({ color: 'red', message: problemText(t, error) });
  const preview = useMutation({
    mutationFn: (chosen: Chosen) => run(chosen, { dry_run: true, confirm: false }),
    onError,
    onSuccess: () => setIsPreviewed(true),
  });
  const act = useMutation({
    // Confirmed after the preview, also for more than half of all files.
    mutationFn: (chosen: Chosen) => run(chosen, { dry_run: false, confirm: true }),
    onError,
    onSuccess: async (result) => {
      setIsPreviewed(false);
      onDone(result);
      await client.invalidateQueries({ queryKey: ['storage'] });
    },
  });
  return {
    /** Whether the preview is to be shown; its data stay while the dialog closes. */
    isPreviewed,
    preview: preview.data,
    /** What the preview is of. */
    chosen: preview.variables,
    isPreviewing: preview.isPending,
    isActing: act.isPending,
    requestPreview: (chosen: Chosen) => preview.mutate(chosen),
    act: () => act.mutate(preview.variables as Chosen),
    dismiss: () => setIsPreviewed(false),
  };
}
