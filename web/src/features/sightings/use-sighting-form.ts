import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Problem } from '../../api/problem';
import { useSpeciesName } from '../../i18n/species-names';
import { camerasQuery } from '../../lib/cameras';
import { type Day, localTimeOf } from '../../lib/days';
import { useHubFacts } from '../../lib/hub-facts';
import type { Species } from '../../lib/rank-species';
import { useDraftForm } from '../../lib/use-draft-form';
import { type Photo, toBase64 } from './photo';
import { checkTime } from './sighting-time';
import { createSightingId, useAddSighting } from './sightings-queries';

/** What people have entered. */
export interface SightingDraft {
  readonly species: Species | undefined;
  readonly source: 'video' | 'audio';
  readonly count: number;
  /** Whether the sighting was at `time` instead of now. */
  readonly isEarlier: boolean;
  /** Local time in the hub's zone. */
  readonly time: string;
  readonly photo: Photo | undefined;
  /** Whether a selected photo is not yet ready to be sent. */
  readonly isPreparingPhoto: boolean;
  /** Name or id of a camera, or another place. */
  readonly place: string;
  readonly note: string;
}

/** Fields that show their own errors; other errors are shown above the button. */
type Field = 'species_name' | 'time' | 'count' | 'camera_id' | 'image_base64' | 'note' | 'source';
const fields: readonly string[] = [
  'species_name',
  'time',
  'count',
  'camera_id',
  'image_base64',
  'note',
  'source',
] satisfies Field[];

/** Messages of the hub by field. */
function refusalsOf(error: Error | null): Partial<Record<Field, string>> {
  if (!(error instanceof Problem)) return {};
  const found = error.details.map(({ path, message }) => [path.replace(/^\//, '').split('/')[0], message]);
  return Object.fromEntries(found.filter(([field]) => fields.includes(String(field))));
}

/** State of the form of a sighting; `day` is the default instead of now. */
export function useSightingForm(day: Day | undefined, onSaved: () => void) {
  const { t } = useTranslation('sightings');
  const nameOf = useSpeciesName();
  const { zone } = useHubFacts();
  const { data: cameras = [] } = useQuery(camerasQuery);
  const add = useAddSighting();
  const [id] = useState(createSightingId);
  const { draft, change, hasChanges } = useDraftForm<SightingDraft>(() => ({
    species: undefined,
    source: 'video',
    count: 1,
    isEarlier: day !== undefined,
    time: day === undefined ? localTimeOf(new Date(), zone) : `${day}T12:00`,
    photo: undefined,
    isPreparingPhoto: false,
    place: '',
    note: '',
  }));
  const [isTried, setIsTried] = useState(false);
  const { species, isEarlier, time } = draft;
  const checked = isEarlier ? checkTime(time, zone, new Date()) : undefined;
  const instant = checked !== undefined && 'instant' in checked ? checked.instant : undefined;
  const timeProblem = checked !== undefined && 'problem' in checked ? checked.problem : undefined;
  const refusals = refusalsOf(add.error);
  const isSpeciesMissing = isTried && species === undefined;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setIsTried(true);
    // On a phone, the field may be scrolled out of view.
    if (species === undefined) (event.currentTarget as HTMLElement).querySelector('input')?.focus();
    if (species === undefined || timeProblem !== undefined || add.isPending || draft.isPreparingPhoto) return;
    const place = draft.place.trim();
    const note = draft.note.trim();
    const cameraId = cameras.find((camera) => camera.name === place || camera.id === place)?.id ?? place;
    const sighting = {
      id,
      species_name: species.name,
      count: draft.count,
      source: draft.source,
      ...(instant !== undefined && { time: instant.toISOString() }),
      ...(cameraId !== '' && { camera_id: cameraId }),
      ...(note !== '' && { note }),
      ...(draft.photo !== undefined && { image_base64: await toBase64(draft.photo.blob) }),
    };
    add.mutate({ sighting, name: nameOf(species.name) }, { onSuccess: onSaved });
  };

  return {
    draft,
    /** Whether anything was entered. */
    hasChanges,
    set: change,
    /** Instant of the sighting; undefined for now and if the time is not valid. */
    instant,
    /** Messages by field. */
    errors: {
      ...refusals,
      species_name: refusals.species_name ?? (isSpeciesMissing ? t('species_missing') : undefined),
      time: timeProblem === undefined ? refusals.time : t(timeProblem),
    },
    /** Set if the hub refused the sighting and no field shows why. */
    error: Object.keys(refusals).length === 0 ? add.error : null,
    isSaving: add.isPending,
    submit,
  };
}
