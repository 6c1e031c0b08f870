import { Anchor, Button, List, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { hub, unwrap } from '../../api/client';
import { describeBytes, useTimeFormat } from '../../lib/format';
import { ClearDialog } from './clear-dialog';
import { useDryRun } from './use-dry-run';

const reasons = ['age', 'max_gb', 'min_free', 'favorite', 'best_of_species'] as const;

/** Applies the retention rules of the settings now instead of at their time. */
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
        loading={retention.isLooking}
        onClick={retention.look}
        style={{ alignSelf: 'start' }}
      >
        {t('retention_look')}
      </Button>
      <ClearDialog
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
      </ClearDialog>
    </>
  );
}
