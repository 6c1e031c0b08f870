import { Badge, Button, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { components } from '../../api/schema';
import { Failure, Loading } from '../../components/states';
import { useSpeciesName } from '../../i18n/species-names';
import { useTimeFormat } from '../../lib/format';
import { type LogFilter, logQuery } from './rules-queries';

type Entry = components['schemas']['AlertLogEntry'];

const filters = ['all', 'sent', 'not_sent'] as const;
type Filter = (typeof filters)[number];
const sentOf: Readonly<Record<Filter, LogFilter>> = { all: undefined, sent: true, not_sent: false };

/** Log that explains for each bird why a message was sent or not. */
export function AlertLog() {
  const { t } = useTranslation('notifications');
  const [filter, setFilter] = useState<Filter>('all');
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery(
    logQuery(sentOf[filter]),
  );
  const entries = data?.pages.flatMap((page) => page.entries);
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        {t('log.intro')}
      </Text>
      <SegmentedControl
        value={filter}
        onChange={(value) => setFilter(value as Filter)}
        data={filters.map((value) => ({ value, label: t(`log.filter.${value}`) }))}
        aria-label={t('log.filter')}
        withItemsBorders={false}
      />
      {entries === undefined && error === null && <Loading rows={3} height={56} />}
      {entries === undefined && error !== null && <Failure error={error} onRetry={() => void refetch()} />}
      {entries?.length === 0 && <Text size="sm">{t('log.none')}</Text>}
      {entries !== undefined && entries.length > 0 && (
        <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
          {entries.map((entry) => (
            <LogRow key={entry.id} entry={entry} />
          ))}
        </Stack>
      )}
      {hasNextPage && (
        <Group>
          <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t('log.more')}
          </Button>
        </Group>
      )}
    </Stack>
  );
}

function LogRow({ entry }: { readonly entry: Entry }) {
  const { t } = useTranslation('notifications');
  const { moment } = useTimeFormat();
  const nameOf = useSpeciesName();
  const { at, title, video_id: videoId, kind, notified, reason, verdicts } = entry;
  const name = kind === 'hub' ? title : nameOf(title);
  return (
    <li>
      <Group gap="xs" wrap="nowrap" justify="space-between" align="baseline">
        <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }} miw={0}>
          {videoId === null ? (
            name
          ) : (
            <Link to="/videos/$id" params={{ id: String(videoId) }} style={{ color: 'inherit' }}>
              {name}
            </Link>
          )}
        </Text>
        <Badge color={notified ? 'green.9' : 'gray.7'} tt="none" flex="none">
          {t(notified ? 'log.state.sent' : 'log.state.not_sent')}
        </Badge>
      </Group>
      <Text size="sm" c="dimmed">
        {moment(at)}
        {kind === 'notice' && ` · ${t('log.notice')}`}
      </Text>
      {reason !== null && <Text size="sm">{t(`log.reason.${reason}`)}</Text>}
      {verdicts.map(({ rule_id, rule_name, refusal }) => (
        <Text key={rule_id} size="sm" style={{ overflowWrap: 'anywhere' }}>
          {rule_name}: {refusal === null ? t('log.sent') : t(`log.refusal.${refusal}`)}
        </Text>
      ))}
    </li>
  );
}
