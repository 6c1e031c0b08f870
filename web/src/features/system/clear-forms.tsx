import { Anchor, Button, Checkbox, Group, List, Modal, Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { hub, unwrap } from '../../api/client';
import { problemText } from '../../api/problem';
import { addDays, isDay } from '../../lib/days';
import { describeBytes, useTimeFormat } from '../../lib/format';

const defaultDays = 90;

/** Deletes videos up to a chosen day. */
export function PurgeForm() {
  const { t } = useTranslation('system');
  const { language, today, longDay } = useTimeFormat();
  const [date, setDate] = useState(() => addDays(today(), -defaultDays));
  const [withFavorites, setWithFavorites] = useState(false);
  const purge = useDryRun({
    run: ({ dryRun, confirm }) =>
      unwrap(
        hub.POST('/api/ui/storage/purge', {
          body: { date, include_favorites: withFavorites, dry_run: dryRun, confirm },
        }),
      ),
    onDone: ({ deletedSize }) =>
      notifications.show({ message: t('cleared', { size: describeBytes(language, deletedSize) }) }),
  });
  const keptFavorites = purge.preview?.keptFavorites ?? 0;
  return (
    <>
      <Group align="flex-end">
        <TextInput
          type="date"
          label={t('purge_until')}
          value={date}
          max={today()}
          onChange={(event) => setDate(event.currentTarget.value)}
        />
        <Button
          variant="light"
          loading={purge.isPreviewing}
          disabled={!isDay(date)}
          onClick={purge.requestPreview}
        >
          {t('purge_look')}
        </Button>
      </Group>
      <Checkbox
        label={t('with_favorites')}
        checked={withFavorites}
        onChange={(event) => setWithFavorites(event.currentTarget.checked)}
      />
      <DeleteDialog
        title={t('purge_title', { day: isDay(date) ? longDay(date) : date })}
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
    run: ({ dryRun, confirm }) =>
      unwrap(hub.POST('/api/ui/system/retention', { body: { dry_run: dryRun, confirm } })),
    onDone: ({ deletedSize }) =>
      notifications.show({ message: t('cleared', { size: describeBytes(language, deletedSize) }) }),
  });
  const { preview } = retention;
  return (
    <>
      <Text size="sm">
        {t('retention_help')}{' '}
        <Anchor inherit renderRoot={(props) => <Link to="/settings" hash="storage" {...props} />}>
          {t('retention_settings')}
        </Anchor>
      </Text>
      <Button
        variant="light"
        loading={retention.isPreviewing}
        onClick={retention.requestPreview}
        style={{ alignSelf: 'start' }}
      >
        {t('retention_look')}
      </Button>
      <DeleteDialog
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

interface DeleteDialogProps {
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
function DeleteDialog({ title, preview, isActing, onAct, onClose, children }: DeleteDialogProps) {
  const { t } = useTranslation('system');
  const { language, number } = useTimeFormat();
  const count = preview?.deletedCount ?? 0;
  const size = describeBytes(language, preview?.deletedSize ?? 0);
  return (
    <Modal
      opened={preview !== undefined}
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

/** A deletion with a dry run. */
interface Deletion<Result> {
  run(options: { dryRun: boolean; confirm: boolean }): Promise<Result>;
  onDone(result: Result): void;
}

/** Deletes files in two steps: a preview, then the deletion. */
function useDryRun<Result>({ run, onDone }: Deletion<Result>) {
  const { t } = useTranslation('system');
  const client = useQueryClient();
  const onError = (error: Error) => notifications.show({ color: 'red', message: problemText(t, error) });
  const preview = useMutation({ mutationFn: () => run({ dryRun: true, confirm: false }), onError });
  const act = useMutation({
    // Confirmed after the preview, also for more than half of all files.
    mutationFn: () => run({ dryRun: false, confirm: true }),
    onError,
    onSuccess: async (result) => {
      preview.reset();
      onDone(result);
      await client.invalidateQueries({ queryKey: ['storage'] });
    },
  });
  return {
    preview: preview.data,
    isPreviewing: preview.isPending,
    isActing: act.isPending,
    requestPreview: () => preview.mutate(),
    act: () => act.mutate(),
    dismiss: () => preview.reset(),
  };
}
