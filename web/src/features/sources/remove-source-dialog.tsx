import { Checkbox, Radio, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../components/confirm-dialog';
import { useTimeFormat } from '../../lib/format';
import type { Source } from './source-form';
import { sourceQuery, useRemoveSource } from './sources-queries';

interface RemoveSourceDialogProps {
  readonly source: Source;
  readonly onClose: () => void;
}

/** Asks before a source is removed, and whether to delete its recordings, with their number. */
export function RemoveSourceDialog({ source: { id, name }, onClose }: RemoveSourceDialogProps) {
  const { t } = useTranslation('sources');
  const { number } = useTimeFormat();
  // Always refetched, as the decision depends on the counts.
  const { data: detail, error: unread } = useQuery({ ...sourceQuery(id), staleTime: 0, gcTime: 0 });
  const [data, setData] = useState<'keep' | 'remove'>('keep');
  const [isSure, setIsSure] = useState(false);
  const remove = useRemoveSource();
  const count = detail?.recordings;
  const amount = { count: count ?? 0, number: number(count ?? 0) };
  const isDeleting = data === 'remove';
  const act = () =>
    remove.mutate(
      { id, data },
      {
        onSuccess: () => {
          notifications.show({ message: t(isDeleting ? 'removed_all' : 'removed', { name }) });
          onClose();
        },
      },
    );
  return (
    <ConfirmDialog
      isOpen
      title={t('remove_title', { name })}
      label={t(isDeleting ? 'remove_act_all' : 'remove_act')}
      isPending={remove.isPending}
      isDisabled={isDeleting && !isSure}
      error={remove.error ?? unread}
      onConfirm={act}
      onClose={onClose}
    >
      <Text size="sm">{t('remove_intro')}</Text>
      <Radio.Group
        label={t('remove_data')}
        value={data}
        onChange={(value) => setData(value === 'remove' ? 'remove' : 'keep')}
      >
        <Stack gap="sm" mt="xs">
          <Radio
            value="keep"
            label={t('remove_keep')}
            description={count === undefined ? undefined : t('remove_keep_help', amount)}
          />
          <Radio
            value="remove"
            label={t('remove_all')}
            description={count === undefined ? undefined : t('remove_all_help', amount)}
          />
        </Stack>
      </Radio.Group>
      {isDeleting && (
        <Checkbox
          label={t('remove_sure')}
          checked={isSure}
          onChange={({ currentTarget }) => setIsSure(currentTarget.checked)}
        />
      )}
    </ConfirmDialog>
  );
}
