import { Progress, SegmentedControl, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { hub, unwrap } from '../../api/client';
import { lazyComponent } from '../../components/lazy-part';
import { PartBoundary } from '../../components/part-boundary';
import { Failure, Loading } from '../../components/states';
import { describeBytes, useMeasures, useTimeFormat } from '../../lib/format';
import { Section } from './section';

const HistoryChart = lazyComponent(() => import('./history-chart').then((file) => file.HistoryChart));

const spans = { '24': 'day', '168': 'week', '720': 'month' } as const;
const chartHeight = 260;

function Gauge({ label, percent, detail }: { label: string; percent: number; detail?: string | undefined }) {
  const { percent: shown } = useTimeFormat();
  return (
    <Stack gap={4}>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text fw={650} size="xl" style={{ fontVariantNumeric: 'tabular-nums' }}>
        {shown(percent / 100)}
      </Text>
      <Progress value={percent} color={percent > 90 ? 'red' : 'moss'} aria-label={label} />
      <Text size="xs" c="dimmed" mih="1.2em">
        {detail}
      </Text>
    </Stack>
  );
}

function MachineNow() {
  const { t } = useTranslation('system');
  const { language } = useTimeFormat();
  const { temperature } = useMeasures();
  const { data, error, refetch } = useQuery({
    queryKey: ['system', 'metrics'],
    queryFn: ({ signal }) => unwrap(hub.GET('/api/ui/system/metrics', { signal })),
    refetchInterval: 10_000,
  });
  if (error && data === undefined) return <Failure error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading rows={1} height={96} />;
  const { cpu, memory, disk, gpu_percent: gpu } = data;
  const of = ({ used_bytes: used, total_bytes: total }: typeof disk) =>
    t('used_of', { used: describeBytes(language, used), total: describeBytes(language, total) });
  const heat = cpu.temperature === null ? undefined : temperature(cpu.temperature);
  return (
    <SimpleGrid cols={{ base: 2, sm: gpu === null ? 3 : 4 }} spacing="lg">
      <Gauge label={t('cpu')} percent={cpu.percent} detail={heat} />
      <Gauge label={t('memory')} percent={memory.percent} detail={of(memory)} />
      <Gauge label={t('disk')} percent={disk.percent} detail={of(disk)} />
      {gpu !== null && <Gauge label={t('gpu')} percent={gpu} />}
    </SimpleGrid>
  );
}

/** Current and past usage of the machine. */
export function MachineSection() {
  const { t } = useTranslation('system');
  const [hours, setHours] = useState<keyof typeof spans>('24');
  const { data, error, refetch } = useQuery({
    queryKey: ['system', 'history', hours],
    queryFn: ({ signal }) =>
      unwrap(
        hub.GET('/api/ui/system/metrics/history', {
          params: { query: { hours: Number(hours), max_points: 300 } },
          signal,
        }),
      ),
    placeholderData: (before) => before,
    refetchInterval: 60_000,
  });
  const placeholder = <Loading rows={1} height={chartHeight} />;
  return (
    <Section
      title={t('machine')}
      actions={
        <SegmentedControl
          size="xs"
          aria-label={t('span')}
          value={hours}
          onChange={(value) => setHours(value as keyof typeof spans)}
          data={Object.entries(spans).map(([value, span]) => ({ value, label: t(`span.${span}`) }))}
        />
      }
    >
      <MachineNow />
      {error && data === undefined && <Failure error={error} onRetry={() => void refetch()} />}
      {!error && data === undefined && placeholder}
      {data && data.samples.length < 2 && <Text c="dimmed">{t('no_history')}</Text>}
      {data && data.samples.length >= 2 && (
        <PartBoundary fallback={placeholder}>
          <HistoryChart history={data} height={chartHeight} />
        </PartBoundary>
      )}
    </Section>
  );
}
