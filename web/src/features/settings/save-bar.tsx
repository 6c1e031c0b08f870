import { Button, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { problemText } from '../../api/problem';
import classes from './save-bar.module.css';
import type { DraftOfGroup } from './use-draft';

/** Appears with the first change: to store what was changed or to let it go. */
export function SaveBar({ draft }: { readonly draft: DraftOfGroup }) {
  const { t } = useTranslation('settings');
  const count = Object.keys(draft.changes).length;
  if (count === 0) return null;
  return (
    <div className={classes['bar']}>
      <Button type="submit" loading={draft.isSaving} disabled={!draft.isStorable}>
        {t('save')}
      </Button>
      <Button variant="subtle" onClick={draft.discard}>
        {t('discard')}
      </Button>
      <Text size="sm" c="dimmed" role="status">
        {t('unsaved', { count })}
      </Text>
      {draft.error && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert" w="100%">
          {draft.isRefusedAtField ? t('see_fields') : problemText(t, draft.error)}
        </Text>
      )}
    </div>
  );
}
