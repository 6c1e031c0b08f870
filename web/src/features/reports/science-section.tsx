import {
  Alert,
  Anchor,
  Button,
  List,
  SegmentedControl,
  SimpleGrid,
  Skeleton,
  Stack,
  Text,
  useMatches,
} from '@mantine/core';
import { IconDownload, IconLockOpen } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { hub, unwrap } from '../../api/client';
import { hubUrl } from '../../api/hub-url';
import { problemText } from '../../api/problem';
import type { components } from '../../api/schema';
import { describeBytes, useTimeFormat } from '../../lib/format';
import { refetchAll, useHasRole } from '../session/access';
import { ensureRole } from '../session/ensure-role';
import { type Period, windowOf } from './period';
import { usePeriodChoice } from './period-choice';
import { Section } from './section';

const standards = ['camtrap-dp', 'dwca', 'inaturalist', 'observation-org'] as const;
const cores = ['occurrence', 'event'] as const;
const mediaChoices = ['none', 'links', 'files'] as const;

type Format = (typeof standards)[number];
type Core = (typeof cores)[number];
type Media = (typeof mediaChoices)[number];

/** What an archive contains, apart from its period. */
interface ArchiveOptions {
  readonly format: Format;
  readonly core: Core;
  readonly media: Media;
}

/** Whether an archive is for a portal, which takes single observations and not a data set. */
const isForPortal = (format: Format) => format === 'inaturalist' || format === 'observation-org';

/** Archives of a period for science and observation portals: options and a preview of their content. */
export function ScienceSection() {
  const { t } = useTranslation('reports');
  const { period, isValid, fields } = usePeriodChoice();
  const [options, setOptions] = useState<ArchiveOptions>({
    format: 'camtrap-dp',
    core: 'occurrence',
    media: 'links',
  });
  const mayRead = useHasRole('contributor');
  return (
    <Section title={t('science')} about={t('science_about')}>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
        <Stack>
          <OptionFields
            options={options}
            onChange={(part) => setOptions((before) => ({ ...before, ...part }))}
          />
          {fields}
        </Stack>
        <Stack>
          {mayRead ? <ArchiveDownload options={options} period={period} isValid={isValid} /> : <Locked />}
        </Stack>
      </SimpleGrid>
    </Section>
  );
}

interface OptionFieldsProps {
  readonly options: ArchiveOptions;
  readonly onChange: (part: Partial<ArchiveOptions>) => void;
}

/** The standard and the options that it has. */
function OptionFields({ options: { format, core, media }, onChange }: OptionFieldsProps) {
  const { t } = useTranslation('reports');
  const isNarrow = useMatches({ base: true, sm: false });
  return (
    <>
      <Choice
        label={t('standard')}
        values={standards}
        value={format}
        onChange={(value) => onChange({ format: value })}
        nameOf={(value) => t(value)}
        isStacked={isNarrow}
      />
      <Text size="sm">{t(`${format}_about`)}</Text>
      {format === 'dwca' && (
        <>
          <Choice
            label={t('core')}
            values={cores}
            value={core}
            onChange={(value) => onChange({ core: value })}
            nameOf={(value) => t(`core_${value}`)}
          />
          {core === 'event' && <Text size="sm">{t('core_event_about')}</Text>}
        </>
      )}
      {!isForPortal(format) && (
        <Choice
          label={t('media')}
          values={mediaChoices}
          value={media}
          onChange={(value) => onChange({ media: value })}
          nameOf={(value) => t(`media_${value}`)}
        />
      )}
    </>
  );
}

interface ArchiveDownloadProps {
  readonly options: ArchiveOptions;
  readonly period: Period;
  /** Whether the period is valid. */
  readonly isValid: boolean;
}

/** The preview of an archive, and the link to it unless it would be empty. */
function ArchiveDownload({ options: { format, core, media }, period, isValid }: ArchiveDownloadProps) {
  const { t } = useTranslation('reports');
  const { zone } = useTimeFormat();
  const { data, error } = useQuery({ ...previewQuery(period, zone), enabled: isValid });
  const canExport =
    isValid && data !== undefined && countOf(data, format) > 0 && !data.missing.includes('location');
  const query = new URLSearchParams({
    format,
    ...(!isForPortal(format) && { media }),
    ...(format === 'dwca' && { core }),
    ...windowOf(period, zone),
  });
  return (
    <>
      <SciencePreview preview={data} error={error} format={format} showSize={media === 'files'} />
      <Button
        leftSection={<IconDownload size={20} aria-hidden />}
        renderRoot={(props) =>
          canExport ? (
            <a {...props} href={hubUrl(`/api/ui/timeline/export?${query}`)} download />
          ) : (
            <button {...props} type="button" />
          )
        }
        disabled={!canExport}
      >
        {t('download_as', { format: t(format) })}
      </Button>
    </>
  );
}

/** Takes the place of the download without the role to read. */
function Locked() {
  const { t } = useTranslation('reports');
  const unlock = async () => {
    if (await ensureRole('contributor')) await refetchAll();
  };
  return (
    <>
      <Text>{t('science_locked')}</Text>
      <Button
        variant="light"
        leftSection={<IconLockOpen size={20} aria-hidden />}
        onClick={() => void unlock()}
      >
        {t('unlock')}
      </Button>
    </>
  );
}

interface ChoiceProps<T extends string> {
  readonly label: string;
  readonly values: readonly T[];
  readonly value: T;
  readonly onChange: (value: T) => void;
  readonly nameOf: (value: T) => string;
  /** Whether the choices are stacked vertically. */
  readonly isStacked?: boolean | undefined;
}

function Choice<T extends string>({
  label,
  values,
  value,
  onChange,
  nameOf,
  isStacked = false,
}: ChoiceProps<T>) {
  const id = useId();
  return (
    <Stack gap={4}>
      <Text id={id} size="sm" fw={500}>
        {label}
      </Text>
      <SegmentedControl
        fullWidth
        aria-labelledby={id}
        orientation={isStacked ? 'vertical' : 'horizontal'}
        size={isStacked ? 'md' : 'sm'}
        value={value}
        onChange={(text) => onChange(values.find((one) => one === text) ?? value)}
        data={values.map((one) => ({ value: one, label: nameOf(one) }))}
      />
    </Stack>
  );
}

type Preview = components['schemas']['SciencePreview'];

/** Returns the number of entries of an archive; 0 if there is nothing to export. */
function countOf({ pictures, observations, recordings, events }: Preview, format: Format): number {
  if (format === 'inaturalist') return pictures;
  return format === 'observation-org' ? observations : recordings + events;
}

/** Returns the section of the settings that has the first of the missing facts. */
function sectionOf([first]: Preview['missing']): string {
  if (first === 'location') return 'hub';
  return first === 'camera_names' ? 'cameras' : 'science';
}

interface SciencePreviewProps {
  readonly preview: Preview | undefined;
  readonly error: Error | null;
  readonly format: Format;
  readonly showSize: boolean;
}

/** Content of an archive, what it omits, and missing settings. */
function SciencePreview({ preview, error, format, showSize }: SciencePreviewProps) {
  const { t } = useTranslation('reports');
  if (error) return <Text role="alert">{problemText(t, error)}</Text>;
  if (preview === undefined) return <Skeleton height={160} />;
  const isPortal = isForPortal(format);
  // Portals know their observers.
  const missing = preview.missing.filter((fact) => !isPortal || fact === 'location');
  if (countOf(preview, format) === 0) return <Text>{t(emptyTexts[format])}</Text>;
  return (
    <Stack gap="sm" aria-live="polite">
      {isPortal ? (
        <PortalCounts count={countOf(preview, format)} />
      ) : (
        <ArchiveCounts preview={preview} showSize={showSize} />
      )}
      {missing.length > 0 && (
        <Alert role="note" color={missing.includes('location') ? 'orange' : 'moss'} title={t('missing')}>
          <List size="sm" spacing={4}>
            {missing.map((fact) => (
              <List.Item key={fact}>{t(`missing_${fact}`)}</List.Item>
            ))}
          </List>
          <Anchor
            size="sm"
            renderRoot={(props) => (
              <Link to="/settings" hash={sectionOf(missing)} hashScrollIntoView={false} {...props} />
            )}
          >
            {t('to_settings')}
          </Anchor>
        </Alert>
      )}
    </Stack>
  );
}

const emptyTexts = {
  'camtrap-dp': 'science_empty',
  dwca: 'science_empty',
  inaturalist: 'portal_empty_pictures',
  'observation-org': 'portal_empty',
} as const;

/** Number of observations for a portal. */
function PortalCounts({ count }: { readonly count: number }) {
  const { t } = useTranslation('reports');
  const { number } = useTimeFormat();
  return (
    <>
      <Text size="xl" fw={650}>
        {t('portal_counts', { count, number: number(count) })}
      </Text>
      <Text size="sm">{t('portal_hint')}</Text>
    </>
  );
}

/** Content of an archive, and what it omits. */
function ArchiveCounts({ preview, showSize }: Pick<SciencePreviewProps, 'showSize'> & { preview: Preview }) {
  const { t } = useTranslation('reports');
  const { number, language } = useTimeFormat();
  const { occurrences, species, deployments, recordings, reviewed, files, bytes, left_out: left } = preview;
  return (
    <>
      <Text size="xl" fw={650}>
        {t('science_counts', {
          count: occurrences,
          occurrences: number(occurrences),
          species: number(species),
        })}
      </Text>
      <Text size="sm">
        {t('science_more', {
          deployments: number(deployments),
          recordings: number(recordings),
          reviewed: number(reviewed),
        })}
      </Text>
      {showSize && (
        <Text size="sm">
          {t('media_size', { size: describeBytes(language, bytes), files: number(files) })}
        </Text>
      )}
      {left.length > 0 && (
        <Stack gap={4}>
          <Text size="sm" fw={600}>
            {t('science_left')}
          </Text>
          <List size="sm" spacing={4}>
            {left.map(({ reason, count }) => (
              <List.Item key={reason}>{t(`left_${reason}`, { number: number(count) })}</List.Item>
            ))}
          </List>
        </Stack>
      )}
    </>
  );
}

function previewQuery(period: Period, zone: string) {
  return {
    queryKey: ['timeline', 'science-preview', period, zone],
    queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
      unwrap<Preview>(
        hub.GET('/api/ui/timeline/export/preview', { params: { query: windowOf(period, zone) }, signal }),
      ),
  };
}
