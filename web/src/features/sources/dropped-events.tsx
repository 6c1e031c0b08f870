import { Button, Collapse, Text } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSentences } from '../../api/sentences';
import { Failure, Loading } from '../../components/states';
import { useTimeFormat } from '../../lib/format';
import classes from './sources.module.css';
import { type SourceDetail, sourceQuery } from './sources-queries';

interface DroppedEventsProps {
  readonly sourceId: number;
  readonly sourceName: string;
}

/** Events of a source that the hub dropped; loaded on demand. */
export function DroppedEvents({ sourceId, sourceName }: DroppedEventsProps) {
  const { t } = useTranslation('sources');
  const id = useId();
  const [isOpen, setIsOpen] = useState(false);
  const { data, error, refetch } = useQuery({ ...sourceQuery(sourceId), enabled: isOpen });
  const action = t(isOpen ? 'dropped_hide' : 'dropped_show');
  return (
    <div>
      <Button
        variant="subtle"
        size="compact-sm"
        ml={-8}
        aria-expanded={isOpen}
        aria-controls={id}
        aria-label={t('action_named', { action, name: sourceName })}
        rightSection={
          <IconChevronDown
            size={16}
            aria-hidden
            style={{ transform: isOpen ? 'rotate(180deg)' : undefined }}
          />
        }
        onClick={() => setIsOpen(!isOpen)}
      >
        {action}
      </Button>
      <Collapse expanded={isOpen} id={id}>
        {data && <DroppedList dropped={data.dropped} />}
        {isOpen && data === undefined && error === null && <Loading rows={2} height={40} />}
        {data === undefined && error !== null && <Failure error={error} onRetry={() => void refetch()} />}
      </Collapse>
    </div>
  );
}

function DroppedList({ dropped }: Pick<SourceDetail, 'dropped'>) {
  const { t } = useTranslation('sources');
  const { moment } = useTimeFormat();
  const translate = useSentences('sources');
  if (dropped.length === 0) return <Text size="sm">{t('dropped_none')}</Text>;
  return (
    <>
      <Text size="sm" fw={600} mt={4} mb="xs">
        {t('dropped', { count: dropped.length })}
      </Text>
      <ul className={classes['dropped']}>
        {dropped.map(({ at, reason, sentences, upstream_id }) => (
          <li key={`${upstream_id} ${at} ${reason}`}>
            <Text size="sm">{translate(sentences, reason)}</Text>
            <Text size="sm" c="dimmed">
              {[at === null ? t('dropped_undated') : moment(at), upstream_id].join(' · ')}
            </Text>
          </li>
        ))}
      </ul>
    </>
  );
}
