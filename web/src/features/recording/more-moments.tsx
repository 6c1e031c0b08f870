import { Anchor, Group, Title } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { hub, unwrap } from '../../api/client';
import { speciesHighlightsQuery } from '../../components/highlights/highlight-queries';
import { HighlightReel, type Moment } from '../../components/highlights/highlight-reel';
import { useSpeciesName } from '../../i18n/species-names';
import type { Detection, Recording } from './recording-queries';
import { momentsOfVisit } from './visit-moments';

/** The visit of a detection; fails once a correction has merged it into another visit. */
const visitQuery = (id: number) =>
  queryOptions({
    queryKey: ['timeline', 'visit', id],
    queryFn: ({ signal }) => unwrap(hub.GET('/api/ui/visits/{id}', { params: { path: { id } }, signal })),
    retry: false,
  });

/** Height that is reserved for them while they are loading (CSS). */
export const momentsHeight = '14rem';

/** What to watch next: the other recordings of the visit, and the best moments of the species. */
export function MoreMoments({ recording }: { readonly recording: Recording }) {
  const main = mainDetection(recording.species);
  if (main === undefined) return null;
  return (
    <>
      {main.visit_id !== null && <MoreOfVisit visitId={main.visit_id} recordingId={recording.id} />}
      <MoreOfSpecies detection={main} recordingId={recording.id} />
    </>
  );
}

/** Returns the most confident detection; video detections take precedence over audio. */
function mainDetection(detections: readonly Detection[]): Detection | undefined {
  return detections.toSorted(
    (one, other) =>
      Number(other.source === 'video') - Number(one.source === 'video') || other.confidence - one.confidence,
  )[0];
}

interface MoreOfVisitProps {
  readonly visitId: number;
  readonly recordingId: number;
}

function MoreOfVisit({ visitId, recordingId }: MoreOfVisitProps) {
  const { t } = useTranslation('recording');
  const { data: visit } = useQuery(visitQuery(visitId));
  const moments = visit ? momentsOfVisit(visit, recordingId) : [];
  return <Reel title={t('more_visit')} moments={moments} isNamed={false} />;
}

interface MoreOfSpeciesProps {
  readonly detection: Detection;
  readonly recordingId: number;
}

function MoreOfSpecies({ detection: { species_id, species_name }, recordingId }: MoreOfSpeciesProps) {
  const { t } = useTranslation('recording');
  const name = useSpeciesName()(species_name);
  const { data = [], isPending } = useQuery(speciesHighlightsQuery(species_id));
  // Without it, the page would become shorter, and scrolled content would move under a finger.
  if (isPending) return <div style={{ height: momentsHeight }} />;
  const others = data.filter(({ video_id }) => video_id !== recordingId);
  return (
    <Reel title={t('more_species', { name })} moments={others} isDated isNamed={false}>
      <Anchor size="sm" renderRoot={(props) => <Link to="/timeline" search={{ species_id }} {...props} />}>
        {t('all_of_species')}
      </Anchor>
    </Reel>
  );
}

interface ReelProps {
  readonly title: string;
  readonly moments: readonly Moment[];
  readonly isNamed: boolean;
  readonly isDated?: boolean;
  readonly children?: ReactNode;
}

/** Highlights with a heading; renders nothing without highlights. */
function Reel({ title, moments, isNamed, isDated = false, children }: ReelProps) {
  const id = useId();
  if (moments.length === 0) return null;
  return (
    <section aria-labelledby={id}>
      <Group justify="space-between" align="baseline" mt="lg" mb="xs" gap="xs">
        <Title order={2} size="h4" id={id}>
          {title}
        </Title>
        {children}
      </Group>
      <HighlightReel highlights={moments} label={title} isNamed={isNamed} isDated={isDated} />
    </section>
  );
}
