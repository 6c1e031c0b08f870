import { useTranslation } from 'react-i18next';
import { useMeasures, useTimeFormat } from '../../lib/format';

interface HourTableProps {
  readonly byHour: readonly number[];
  readonly temperatures: readonly (number | null)[];
}

/** What the curve draws, for those who do not see it: the hours in which somebody came. */
export function HourTable({ byHour, temperatures }: HourTableProps) {
  const { t } = useTranslation('today');
  const { hour: fullHour, number } = useTimeFormat();
  const { temperature } = useMeasures();
  const hours = [...byHour.entries()].filter(([, count]) => count > 0);
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{t('hour')}</th>
          <th scope="col">{t('visits')}</th>
          <th scope="col">{t('temperature')}</th>
        </tr>
      </thead>
      <tbody>
        {hours.map(([hour, count]) => (
          <tr key={hour}>
            <th scope="row">{`${fullHour(hour)}–${fullHour(hour + 1)}`}</th>
            <td>{number(count)}</td>
            <td>{typeof temperatures[hour] === 'number' ? temperature(temperatures[hour]) : '–'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
