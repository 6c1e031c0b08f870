import { Alert, Anchor, Button, List, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconDownload, IconInfoCircle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { hub, unwrap } from '../../api/client';
import { hubUrl } from '../../api/hub-url';
import { problemText } from '../../api/problem';
import { useTimeFormat } from '../../lib/format';
import { checkEbirdFile, type EbirdCheck, type EbirdConcern, isOptional } from './ebird-check';
import { type Period, windowOf } from './period';
import { usePeriodChoice } from './period-choice';
import { Section } from './section';

const formats = ['csv', 'json', 'ebird'] as const;
type Format = (typeof formats)[number];

const isFormat = (text: string): text is Format => formats.some((format) => format === text);

/** Exports the visits of a period. */
export function ExportSection() {
  const { t } = useTranslation('reports');
  const { zone } = useTimeFormat();
  const [format, setFormat] = useState<Format>('csv');
  const { period, isValid, fields } = usePeriodChoice();
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
        {fields}
        {format === 'ebird' && isValid && <EbirdFindings period={period} />}
        <Button
          leftSection={<IconDownload size={20} aria-hidden />}
          renderRoot={(props) =>
            isValid ? <a {...props} href={address()} download /> : <button {...props} type="button" />
          }
          disabled={!isValid}
        >
          {t('download_as', { format: t(format) })}
        </Button>
      </Stack>
    </Section>
  );
}

/** Sections of the settings that fix a concern. */
const inSettings: Partial<Record<EbirdConcern, 'ebird' | 'hub'>> = {
  country: 'ebird',
  state: 'ebird',
  protocol: 'ebird',
  no_location: 'ebird',
  no_coordinates: 'hub',
};

/** Check of the eBird file before the download. */
function EbirdFindings({ period }: { readonly period: Period }) {
  const { t } = useTranslation('reports');
  const { zone } = useTimeFormat();
  const { data, error } = useQuery({
    queryKey: ['timeline', 'ebird-check', period, zone],
    queryFn: async ({ signal }) => {
      const query = { format: 'ebird', ...windowOf(period, zone) } as const;
      const call = hub.GET('/api/ui/timeline/export', { params: { query }, parseAs: 'text', signal });
      return checkEbirdFile(await unwrap<string>(call));
    },
    gcTime: 0,
  });
  return (
    <div aria-live="polite">
      {data ? (
        <Findings check={data} />
      ) : error ? (
        <Text role="alert">{problemText(t, error)}</Text>
      ) : (
        <Skeleton height={96} />
      )}
    </div>
  );
}

function Findings({ check }: { readonly check: EbirdCheck }) {
  const { t } = useTranslation('reports');
  const { number } = useTimeFormat();
  const { rows, checklists, species, place, findings } = check;
  if (rows === 0) return <Alert icon={<IconInfoCircle aria-hidden />}>{t('ebird_empty')}</Alert>;
  const refused = findings.filter(({ concern }) => !isOptional(concern));
  const counts = { checklists: number(checklists), species: number(species), rows: number(rows) };
  return (
    <Alert
      color={refused.length > 0 ? 'orange' : 'moss'}
      icon={refused.length > 0 ? <IconAlertTriangle aria-hidden /> : <IconCircleCheck aria-hidden />}
      title={refused.length > 0 ? t('ebird_refused') : t('ebird_fine')}
    >
      <Stack gap="xs">
        <Text size="sm">{t('ebird_counts', counts)}</Text>
        <Text size="sm">{t('ebird_place', { place })}</Text>
        {findings.length > 0 && (
          <List size="sm" spacing={4}>
            {findings.map(({ concern, rows: concerned, example }) => (
              <List.Item key={concern}>
                {t(`ebird_${concern}`, { count: concerned, example })}{' '}
                {inSettings[concern] && <SettingsLink section={inSettings[concern]} />}
              </List.Item>
            ))}
          </List>
        )}
        <Text size="sm">{t('ebird_unknown')}</Text>
      </Stack>
    </Alert>
  );
}

function SettingsLink({ section }: { readonly section: string }) {
  const { t } = useTranslation('reports');
  return (
    <Anchor
      size="sm"
      underline="always"
      renderRoot={(props) => <Link to="/settings" hash={section} hashScrollIntoView={false} {...props} />}
    >
      {t('to_settings')}
    </Anchor>
  );
}
