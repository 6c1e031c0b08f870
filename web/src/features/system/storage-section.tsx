import { Button, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { hub, unwrap } from '../../api/client';
import { Failure, Loading } from '../../components/states';
import { describeBytes, useTimeFormat } from '../../lib/format';
import { PurgeForm, RetentionForm } from './clear-forms';
import { Section } from './section';

const initialDays = 10;

function DayTable() {
  const { t } = useTranslation('system');
  const { language, number, dayRange } = useTimeFormat();
  const [isExpanded, setIsExpanded] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey: ['storage', 'stats'],
    queryFn: ({ signal }) => unwrap(hub.GET('/api/ui/storage/stats', { signal })),
  });
  if (error && data === undefined) return <Failure error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading rows={5} height={32} />;
  if (data.length === 0) return <Text c="dimmed">{t('nothing_stored')}</Text>;
  const bytes = data.reduce((sum, { totalSize }) => sum + totalSize, 0);
  const files = data.reduce((sum, { fileCount }) => sum + fileCount, 0);
  return (
    <Stack>
      <Text>
        {t('stored', { count: files, number: number(files), size: describeBytes(language, bytes) })}
      </Text>
      <Table verticalSpacing={6} layout="fixed" aria-label={t('storage')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th w="50%">{t('day')}</Table.Th>
            <Table.Th ta="end">{t('recordings')}</Table.Th>
            <Table.Th ta="end">{t('size')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {data.slice(0, isExpanded ? undefined : initialDays).map(({ date, fileCount, totalSize }) => (
            <Table.Tr key={date}>
              <Table.Td>{dayRange(date, date)}</Table.Td>
              <Table.Td ta="end">{number(fileCount)}</Table.Td>
              <Table.Td ta="end">{describeBytes(language, totalSize)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {data.length > initialDays && (
        <Button variant="subtle" onClick={() => setIsExpanded(!isExpanded)}>
          {isExpanded ? t('show_fewer') : t('show_all', { count: data.length })}
        </Button>
      )}
    </Stack>
  );
}

/** Storage by day, and forms to free space. */
export function StorageSection() {
  const { t } = useTranslation('system');
  return (
    <Section title={t('storage')}>
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="xl">
        <DayTable />
        <Stack>
          <Title order={3} size="h5">
            {t('purge')}
          </Title>
          <PurgeForm />
          <Title order={3} size="h5" mt="md">
            {t('retention')}
          </Title>
          <RetentionForm />
        </Stack>
      </SimpleGrid>
    </Section>
  );
}
