import { Button, Group, Modal, Radio, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ProblemAlert } from '../../components/problem-alert';
import { addDays, type Day, isDay } from '../../lib/days';
import { useTimeFormat } from '../../lib/format';
import { useOpenerFocus } from '../../lib/use-opener-focus';
import { useImportProblem, useStartImport } from './import-queries';
import type { Source } from './source-form';
import classes from './sources.module.css';

interface ImportDialogProps {
  readonly source: Source;
  readonly onClose: () => void;
}

type Media = 'all' | 'none';

const proposedDays = 365;

/** Asks for the range of the history to import, and whether to include files. */
export function ImportDialog({ source: { id, name }, onClose }: ImportDialogProps) {
  const { t } = useTranslation('sources');
  useOpenerFocus();
  const { today } = useTimeFormat();
  const [since, setSince] = useState(() => addDays(today(), -proposedDays));
  const [until, setUntil] = useState('');
  const [media, setMedia] = useState<Media>('all');
  const [isTried, setIsTried] = useState(false);
  const start = useStartImport();
  const describeProblem = useImportProblem();
  const problems = checkSpan(since, until, today());
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsTried(true);
    if (problems.since !== undefined || problems.until !== undefined) return;
    const span = { since, ...(until !== '' && { until }) };
    start.mutate({ id, body: { ...span, media } }, { onSuccess: onClose });
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('import_title', { name })}
      closeButtonProps={{ 'aria-label': t('cancel') }}
      centered
    >
      <form onSubmit={submit} noValidate>
        <Stack>
          <Text size="sm">{t('import_intro')}</Text>
          <div className={classes['pair']}>
            <TextInput
              type="date"
              label={t('import_since')}
              value={since}
              max={today()}
              required
              data-autofocus
              error={isTried && problems.since && t(problems.since)}
              onChange={({ currentTarget }) => setSince(currentTarget.value)}
            />
            <TextInput
              type="date"
              label={t('import_until')}
              description={t('import_until_help')}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              value={until}
              max={today()}
              error={isTried && problems.until && t(problems.until)}
              onChange={({ currentTarget }) => setUntil(currentTarget.value)}
            />
          </div>
          <Radio.Group
            label={t('import_media')}
            value={media}
            onChange={(value) => setMedia(value === 'none' ? 'none' : 'all')}
          >
            <Stack gap="sm" mt="xs">
              <Radio value="all" label={t('import_media_all')} description={t('import_media_all_help')} />
              <Radio value="none" label={t('import_media_none')} description={t('import_media_none_help')} />
            </Stack>
          </Radio.Group>
          {start.error !== null && <ProblemAlert>{describeProblem(start.error)}</ProblemAlert>}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" loading={start.isPending}>
              {t('import_start')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

type Problem = 'import_date_missing' | 'import_date_future' | 'import_order';

/** Validates the days of an import; an empty `until` means now. */
function checkSpan(since: string, until: string, today: Day): { since?: Problem; until?: Problem } {
  if (!isDay(since)) return { since: 'import_date_missing' };
  if (since > today) return { since: 'import_date_future' };
  if (until === '') return {};
  if (!isDay(until)) return { until: 'import_date_missing' };
  return until < since ? { until: 'import_order' } : {};
}
