import {
  ActionIcon,
  Alert,
  Autocomplete,
  Button,
  Group,
  Input,
  SegmentedControl,
  Stack,
  Textarea,
  TextInput,
} from '@mantine/core';
import { IconAlertTriangle, IconMinus, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Problem, problemText } from '../../api/problem';
import { SpeciesChoice } from '../../components/species-choice';
import { useSpeciesName } from '../../i18n/species-names';
import { camerasQuery } from '../../lib/cameras';
import { type Day, localTimeOf } from '../../lib/days';
import { useHubFacts } from '../../lib/hub-facts';
import type { Species } from '../../lib/rank-species';
import { FrequentSpecies, useFrequentSpecies } from './frequent-species';
import { type Photo, toBase64 } from './photo';
import { PhotoField } from './photo-field';
import { checkTime } from './sighting-time';
import classes from './sightings.module.css';
import { createSightingId, useAddSighting } from './sightings-queries';

interface SightingFormProps {
  /** Default instead of now. */
  readonly day: Day | undefined;
  readonly onClose: () => void;
}

const maxCount = 500;
const maxNote = 1000;
/** The number of characters left is shown from here on. */
const fewLeft = 100;
const sources = [
  { value: 'video', text: 'seen' },
  { value: 'audio', text: 'heard' },
] as const;
const times = ['now', 'earlier'] as const;

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

/** Form of a sighting: species, time, number, photo, place and note. */
export function SightingForm({ day, onClose }: SightingFormProps) {
  const { t } = useTranslation('sightings');
  const nameOf = useSpeciesName();
  const { zone } = useHubFacts();
  const { data: cameras = [] } = useQuery(camerasQuery);
  const frequent = useFrequentSpecies();
  const add = useAddSighting();
  const [id] = useState(createSightingId);
  const [species, setSpecies] = useState<Species>();
  const [source, setSource] = useState<'video' | 'audio'>('video');
  const [count, setCount] = useState(1);
  const [isEarlier, setIsEarlier] = useState(day !== undefined);
  const [time, setTime] = useState(() =>
    day === undefined ? localTimeOf(new Date(), zone) : `${day}T12:00`,
  );
  const [photo, setPhoto] = useState<Photo>();
  const [place, setPlace] = useState('');
  const [note, setNote] = useState('');
  const [isTried, setIsTried] = useState(false);
  const refusals = refusalsOf(add.error);
  const checked = isEarlier ? checkTime(time, zone, new Date()) : undefined;
  const timeProblem = checked !== undefined && 'problem' in checked ? checked.problem : undefined;
  const isExplained = Object.keys(refusals).length > 0;

  const takeTime = (instant: Date) => {
    setIsEarlier(true);
    setTime(localTimeOf(instant, zone));
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setIsTried(true);
    // On a phone, the field may be scrolled out of view.
    if (species === undefined) (event.currentTarget as HTMLElement).querySelector('input')?.focus();
    if (species === undefined || timeProblem !== undefined || add.isPending) return;
    const camera = place.trim();
    const cameraId = cameras.find(({ id: one, name }) => name === camera || one === camera)?.id ?? camera;
    const sighting = {
      id,
      species_name: species.name,
      count,
      source,
      ...(checked !== undefined && 'instant' in checked && { time: checked.instant.toISOString() }),
      ...(cameraId !== '' && { camera_id: cameraId }),
      ...(note.trim() !== '' && { note: note.trim() }),
      ...(photo !== undefined && { image_base64: await toBase64(photo.blob) }),
    };
    add.mutate({ sighting, name: nameOf(species.name) }, { onSuccess: onClose });
  };

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        <div>
          <SpeciesChoice
            value={species?.id ?? null}
            onChoose={setSpecies}
            likely={frequent.map((one) => one.species.id)}
            error={refusals.species_name ?? (isTried && !species ? t('species_missing') : undefined)}
          />
          <FrequentSpecies frequent={frequent} chosenId={species?.id} onChoose={setSpecies} />
        </div>
        <div className={classes['pair']}>
          <Choice
            label={t('how')}
            value={source}
            options={sources.map(({ value, text }) => ({ value, label: t(text) }))}
            error={refusals.source}
            onChange={setSource}
          />
          <CountField value={count} error={refusals.count} onChange={setCount} />
        </div>
        <div>
          <Choice
            label={t('when')}
            value={isEarlier ? 'earlier' : 'now'}
            options={times.map((value) => ({ value, label: t(value) }))}
            error={isEarlier ? undefined : refusals.time}
            onChange={(value) => setIsEarlier(value === 'earlier')}
          />
          {isEarlier && (
            <TextInput
              type="datetime-local"
              mt="xs"
              aria-label={t('time')}
              value={time}
              max={localTimeOf(new Date(), zone)}
              error={timeProblem === undefined ? refusals.time : t(timeProblem)}
              onChange={({ currentTarget }) => setTime(currentTarget.value)}
            />
          )}
        </div>
        <PhotoField
          photo={photo}
          time={checked !== undefined && 'instant' in checked ? checked.instant : undefined}
          error={refusals.image_base64}
          onChange={setPhoto}
          onTakeTime={takeTime}
        />
        <Autocomplete
          label={t('place')}
          placeholder={t('place_hint')}
          data={[...new Set(cameras.map(({ name }) => name))]}
          value={place}
          error={refusals.camera_id}
          maxLength={64}
          autoComplete="off"
          onChange={setPlace}
        />
        <Textarea
          label={t('note')}
          description={
            note.length > maxNote - fewLeft ? t('note_left', { count: maxNote - note.length }) : undefined
          }
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          value={note}
          error={refusals.note}
          maxLength={maxNote}
          rows={3}
          resize="vertical"
          onChange={({ currentTarget }) => setNote(currentTarget.value)}
        />
        {add.error !== null && !isExplained && (
          <Alert color="red" role="alert" icon={<IconAlertTriangle aria-hidden />}>
            {problemText(t, add.error)}
          </Alert>
        )}
      </Stack>
      <Group className={classes['bar'] ?? ''}>
        <Button variant="default" onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button type="submit" loading={add.isPending}>
          {t('send')}
        </Button>
      </Group>
    </form>
  );
}

interface ChoiceProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: { readonly value: T; readonly label: string }[];
  readonly error: string | undefined;
  readonly onChange: (value: T) => void;
}

function Choice<T extends string>({ label, value, options, error, onChange }: ChoiceProps<T>) {
  return (
    <Input.Wrapper label={label} labelElement="div" error={error}>
      <SegmentedControl
        fullWidth
        radius="md"
        aria-label={label}
        value={value}
        data={options}
        onChange={(chosen) => onChange(chosen as T)}
      />
    </Input.Wrapper>
  );
}

interface CountFieldProps {
  readonly value: number;
  readonly error: string | undefined;
  readonly onChange: (value: number) => void;
}

/** A number with buttons large enough for a thumb. */
function CountField({ value, error, onChange }: CountFieldProps) {
  const { t } = useTranslation('sightings');
  const step = (by: number) => onChange(Math.min(maxCount, Math.max(1, value + by)));
  const button = (by: number, label: string, Icon: typeof IconPlus) => (
    <ActionIcon
      variant="default"
      size={36}
      aria-label={label}
      disabled={by < 0 ? value <= 1 : value >= maxCount}
      onClick={() => step(by)}
    >
      <Icon size={18} aria-hidden />
    </ActionIcon>
  );
  return (
    <Input.Wrapper label={t('count')} labelElement="div" error={error}>
      <div className={classes['count']}>
        {button(-1, t('fewer'), IconMinus)}
        <TextInput
          aria-label={t('count')}
          inputMode="numeric"
          value={String(value)}
          onChange={({ currentTarget }) => {
            const typed = Number.parseInt(currentTarget.value.replace(/\D/g, ''), 10);
            onChange(Math.min(maxCount, Number.isNaN(typed) ? 1 : Math.max(1, typed)));
          }}
          onFocus={({ currentTarget }) => currentTarget.select()}
          onKeyDown={(event) => {
            const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
            if (by === undefined) return;
            event.preventDefault();
            step(by);
          }}
          styles={{ input: { textAlign: 'center', fontVariantNumeric: 'tabular-nums' } }}
        />
        {button(1, t('more'), IconPlus)}
      </div>
    </Input.Wrapper>
  );
}
