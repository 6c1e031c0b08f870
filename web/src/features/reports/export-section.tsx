import { Button, NativeSelect, SegmentedControl, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { hubUrl } from '../../api/hub-url';
import { useToday } from '../../lib/clock';
import { useTimeFormat } from '../../lib/format';
import { useSightings } from '../../lib/species-list';
import { EbirdFindings } from './ebird-findings';
import {
  longestDays,
  namedPeriods,
  newestPeriod,
  type Period,
  type PeriodName,
  periodFault,
  windowOf,
} from './period';
import { PeriodFields } from './period-fields';
import { Section } from './section';

const formats = ['csv', 'json', 'ebird'] as const;
type Format = (typeof formats)[number];

const names = Object.keys(namedPeriods) as PeriodName[];
const isName = (text: string): text is PeriodName => text in namedPeriods;
const isFormat = (text: string): text is Format => formats.some((format) => format === text);

/** The visits of a range as a file for other programs. */
export function ExportSection() {
  const { t } = useTranslation('reports');
  const { zone } = useTimeFormat();
  const today = useToday();
  const [format, setFormat] = useState<Format>('csv');
  const [chosen, setName] = useState<PeriodName | 'own'>();
  const newest = useSightings()?.last;
  const name = chosen ?? newestPeriod(newest, today);
  const [own, setOwn] = useState<Period>(namedPeriods.last_month(today));
  const period = name === 'own' ? own : namedPeriods[name](today);
  const isFine = periodFault(period, longestDays.export) === undefined;
  const choose = (text: string) => {
    setOwn(period);
    setName(isName(text) ? text : 'own');
  };
  const address = (): string =>
    hubUrl(`/api/ui/timeline/export?${new URLSearchParams({ format, ...windowOf(period, zone) })}`);
  return (
    <Section title={t('export')} about={t('export_about')}>
      <Stack maw={560}>
        <SegmentedControl
          aria-label={t('format')}
          value={format}
          onChange={(text) => isFormat(text) && setFormat(text)}
          data={formats.map((value) => ({ value, label: t(value) }))}
        />
        <Text size="sm">{t(`${format}_about`)}</Text>
        <NativeSelect
          label={t('range')}
          value={name}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
          data={[...names, 'own' as const].map((value) => ({ value, label: t(value) }))}
        />
        {name === 'own' && <PeriodFields period={own} onChange={setOwn} longest={longestDays.export} />}
        {format === 'ebird' && isFine && <EbirdFindings period={period} />}
        <Button
          leftSection={<IconDownload size={20} aria-hidden />}
          renderRoot={(props) =>
            isFine ? <a {...props} href={address()} download /> : <button {...props} type="button" />
          }
          disabled={!isFine}
        >
          {t('download_as', { format: t(format) })}
        </Button>
      </Stack>
    </Section>
  );
}
