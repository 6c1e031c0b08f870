import '@mantine/charts/styles.layer.css';
import { LineChart } from '@mantine/charts';
import { useTranslation } from 'react-i18next';
import type { components } from '../../api/schema';
import { useTimeFormat } from '../../lib/format';
import { timeTicks } from './system-figures';

interface HistoryChartProps {
  readonly history: components['schemas']['HostHistory'];
  /** In px. */
  readonly height: number;
}

const dayHours = 24;
const maxTicks = 8;

/** CPU, memory and disk usage over time. */
export function HistoryChart({ history, height }: HistoryChartProps) {
  const { t } = useTranslation('system');
  const format = useTimeFormat();
  const { samples, hours_requested: hours } = history;
  const points = samples.map(({ t: at, ...sample }) => ({ ...sample, at: Date.parse(at) }));
  const [from, to] = [points.at(0)?.at ?? 0, points.at(-1)?.at ?? 0];
  const label = (at: number) => {
    const instant = new Date(at);
    return hours <= dayHours ? format.clock(instant) : format.shortDay(format.dayOf(instant));
  };
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
      data={points}
      dataKey="at"
      series={series}
      withDots={false}
      withLegend
      // Keeps the order of the series.
      legendProps={{ itemSorter: null }}
      curveType="linear"
      strokeWidth={1.5}
      valueFormatter={(value) => format.percent(value / 100)}
      xAxisProps={{
        type: 'number',
        scale: 'time',
        domain: [from, to],
        ticks: timeTicks(from, to, format.zone, maxTicks),
        tickFormatter: label,
        minTickGap: 48,
      }}
      yAxisProps={{ domain: [0, 100] }}
      tooltipProps={{ labelFormatter: (at) => (typeof at === 'number' ? format.moment(new Date(at)) : '') }}
      lineChartProps={{ accessibilityLayer: false }}
    />
  );
}
