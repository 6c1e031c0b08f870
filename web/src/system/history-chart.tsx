import '@mantine/charts/styles.css';
import { LineChart } from '@mantine/charts';
import { useTranslation } from 'react-i18next';
import type { components } from '../api/schema';
import { useTimeFormat } from '../hub-time/time-format';

interface HistoryChartProps {
  readonly history: components['schemas']['HostHistory'];
  /** In CSS pixels. */
  readonly height: number;
}

const dayHours = 24;

/** Load of processor, memory and disk in percent over time. */
export function HistoryChart({ history, height }: HistoryChartProps) {
  const { t } = useTranslation('system');
  const format = useTimeFormat();
  const { samples, hours_requested: hours } = history;
  const label = (at: string) => (hours <= dayHours ? format.clock(at) : format.shortDay(format.dayOf(at)));
  const series = [
    { name: 'cpu', label: t('cpu'), color: 'moss.6' },
    { name: 'memory', label: t('memory'), color: 'blue.6' },
    { name: 'disk', label: t('disk'), color: 'orange.6' },
    ...(samples.some(({ gpu }) => gpu !== null) ? [{ name: 'gpu', label: t('gpu'), color: 'grape.6' }] : []),
  ];
  return (
    <LineChart
      h={height}
      role="img"
      aria-label={t('history')}
      data={samples.map((sample) => ({ ...sample }))}
      dataKey="t"
      series={series}
      withDots={false}
      withLegend
      curveType="linear"
      strokeWidth={1.5}
      valueFormatter={(value) => `${format.number(value)} %`}
      xAxisProps={{ tickFormatter: label, minTickGap: 48 }}
      yAxisProps={{ domain: [0, 100] }}
      tooltipProps={{ labelFormatter: (at) => (typeof at === 'string' ? format.moment(at) : '') }}
      lineChartProps={{ accessibilityLayer: false }}
    />
  );
}
