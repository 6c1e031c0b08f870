import { Button, Code, Group, NativeSelect, Text, TextInput } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { hub, unwrap } from '../../api/client';
import { Failure, Loading } from '../../components/states';
import classes from './logs-section.module.css';
import { Section } from './section';

const amounts = ['200', '1000', '5000'];

/** Log of the detector. Loaded on demand, as the password may be required. */
export function LogsSection() {
  const { t } = useTranslation('system');
  const [isRequested, setIsRequested] = useState(false);
  const [lines, setLines] = useState('200');
  const [search, setSearch] = useState('');
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['logs', lines],
    queryFn: ({ signal }) =>
      unwrap(hub.GET('/api/ui/system/logs', { params: { query: { lines: Number(lines) } }, signal })),
    enabled: isRequested,
    retry: false,
    placeholderData: keepPreviousData,
  });
  const found = data?.lines.filter((line) => line.toLowerCase().includes(search.toLowerCase())) ?? [];
  const load = () => (isRequested ? void refetch() : setIsRequested(true));
  return (
    <Section
      title={t('logs')}
      actions={
        <Button variant="light" loading={isFetching} onClick={load}>
          {t(data ? 'refresh' : 'show')}
        </Button>
      }
    >
      {isRequested && (
        <Group align="flex-end">
          <TextInput
            type="search"
            label={t('logs_search')}
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
          />
          <NativeSelect
            label={t('logs_lines')}
            data={amounts}
            value={lines}
            onChange={(event) => setLines(event.currentTarget.value)}
          />
        </Group>
      )}
      {error && !isFetching && <Failure error={error} onRetry={() => void refetch()} />}
      {isFetching && data === undefined && <Loading rows={6} height={20} />}
      {data && (
        <>
          {found.length === 0 ? (
            <Text c="dimmed">{t(data.lines.length === 0 ? 'logs_empty' : 'logs_nothing_found')}</Text>
          ) : (
            <Code
              block
              mah={360}
              role="region"
              aria-label={t('logs')}
              tabIndex={0}
              className={classes['lines']}
            >
              {found.join('\n')}
            </Code>
          )}
          <Text size="xs" c="dimmed">
            {data.path}
          </Text>
        </>
      )}
    </Section>
  );
}
