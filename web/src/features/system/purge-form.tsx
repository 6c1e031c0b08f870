import { Button, Checkbox, Group, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { hub, unwrap } from '../../api/client';
import { addDays, isDay } from '../../lib/days';
import { describeBytes, useTimeFormat } from '../../lib/format';
import { ClearDialog } from './clear-dialog';
import { useDryRun } from './use-dry-run';

const usualDays = 90;

/** Clears the videos up to a day that somebody chooses. */
export function PurgeForm() {
  const { t } = useTranslation('system');
  const { language, today, longDay } = useTimeFormat();
  const [date, setDate] = useState(() => addDays(today(), -usualDays));
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
        <Button variant="light" loading={purge.isLooking} disabled={!isDay(date)} onClick={purge.look}>
          {t('purge_look')}
        </Button>
      </Group>
      <Checkbox
        label={t('with_favorites')}
        checked={withFavorites}
        onChange={(event) => setWithFavorites(event.currentTarget.checked)}
      />
      <ClearDialog
        title={t('purge_title', { day: isDay(date) ? longDay(date) : date })}
        preview={purge.preview}
        isActing={purge.isActing}
        onAct={purge.act}
        onClose={purge.dismiss}
      >
        <Text size="sm">{t('history_stays')}</Text>
        {keptFavorites > 0 && <Text size="sm">{t('favorites_stay', { count: keptFavorites })}</Text>}
      </ClearDialog>
    </>
  );
}
