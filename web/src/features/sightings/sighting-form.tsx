import {
  ActionIcon,
  Autocomplete,
  Button,
  Group,
  Input,
  SegmentedControl,
  Stack,
  Textarea,
  TextInput,
} from '@mantine/core';
import { IconMinus, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { problemText } from '../../api/problem';
import { ProblemAlert } from '../../components/problem-alert';
import { SpeciesChoice } from '../../components/species-choice';
import { camerasQuery } from '../../lib/cameras';
import { type Day, localTimeOf } from '../../lib/days';
import { useHubFacts } from '../../lib/hub-facts';
import { FrequentSpecies, useFrequentSpecies } from './frequent-species';
import { PhotoField } from './photo-field';
import classes from './sightings.module.css';
import { type SightingDraft, useSightingForm } from './use-sighting-form';

interface SightingFormProps {
  /** Default instead of now. */
  readonly day: Day | undefined;
  readonly onClose: () => void;
  readonly onChange: (hasChanges: boolean) => void;
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

/** Form of a sighting: species, time, number, photo, place and note. */
export function SightingForm({ day, onClose, onChange }: SightingFormProps) {
  const { t } = useTranslation('sightings');
  const { zone } = useHubFacts();
  const frequent = useFrequentSpecies();
  const { draft, hasChanges, set, instant, errors, error, isSaving, submit } = useSightingForm(day, onClose);
  useEffect(() => {
    onChange(hasChanges);
    return () => onChange(false);
  }, [hasChanges, onChange]);
  const chooseSpecies = (species: SightingDraft['species']) => set({ species });
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        <div>
          <SpeciesChoice
            value={draft.species?.id ?? null}
            onChoose={chooseSpecies}
            likely={frequent.map((one) => one.species.id)}
            error={errors.species_name}
          />
          <FrequentSpecies frequent={frequent} chosenId={draft.species?.id} onChoose={chooseSpecies} />
        </div>
        <div className={classes['pair']}>
          <Choice
            label={t('how')}
            value={draft.source}
            options={sources.map(({ value, text }) => ({ value, label: t(text) }))}
            error={errors.source}
            onChange={(source) => set({ source })}
          />
          <CountField value={draft.count} error={errors.count} onChange={(count) => set({ count })} />
        </div>
        <TimeField draft={draft} error={errors.time} onChange={set} />
        <PhotoField
          photo={draft.photo}
          isPreparing={draft.isPreparingPhoto}
          time={instant}
          error={errors.image_base64}
          onChange={(photo) => set({ photo, isPreparingPhoto: false })}
          onPrepare={() => set({ isPreparingPhoto: true })}
          onTakeTime={(takenAt) => set({ isEarlier: true, time: localTimeOf(takenAt, zone) })}
        />
        <PlaceField value={draft.place} error={errors.camera_id} onChange={(place) => set({ place })} />
        <NoteField value={draft.note} error={errors.note} onChange={(note) => set({ note })} />
        {error !== null && <ProblemAlert>{problemText(t, error)}</ProblemAlert>}
      </Stack>
      <Group className={classes['bar'] ?? ''}>
        <Button variant="default" onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button type="submit" loading={isSaving || draft.isPreparingPhoto}>
          {t('send')}
        </Button>
      </Group>
    </form>
  );
}

interface FieldProps<T> {
  readonly value: T;
  readonly error: string | undefined;
  readonly onChange: (value: T) => void;
}

interface TimeFieldProps {
  readonly draft: SightingDraft;
  readonly error: string | undefined;
  readonly onChange: (part: Partial<SightingDraft>) => void;
}

/** Now, or a time in the hub's zone. */
function TimeField({ draft: { isEarlier, time }, error, onChange }: TimeFieldProps) {
  const { t } = useTranslation('sightings');
  const { zone } = useHubFacts();
  return (
    <div>
      <Choice
        label={t('when')}
        value={isEarlier ? 'earlier' : 'now'}
        options={times.map((value) => ({ value, label: t(value) }))}
        error={isEarlier ? undefined : error}
        onChange={(value) => onChange({ isEarlier: value === 'earlier' })}
      />
      {isEarlier && (
        <TextInput
          type="datetime-local"
          mt="xs"
          aria-label={t('time')}
          value={time}
          max={localTimeOf(new Date(), zone)}
          error={error}
          onChange={({ currentTarget }) => onChange({ time: currentTarget.value })}
        />
      )}
    </div>
  );
}

/** A camera, or another place. */
function PlaceField({ value, error, onChange }: FieldProps<string>) {
  const { t } = useTranslation('sightings');
  const { data: cameras = [] } = useQuery(camerasQuery);
  return (
    <Autocomplete
      label={t('place')}
      placeholder={t('place_hint')}
      data={[...new Set(cameras.map(({ name }) => name))]}
      value={value}
      error={error}
      maxLength={64}
      autoComplete="off"
      onChange={onChange}
    />
  );
}

function NoteField({ value, error, onChange }: FieldProps<string>) {
  const { t } = useTranslation('sightings');
  const left = maxNote - value.length;
  return (
    <Textarea
      label={t('note')}
      description={left < fewLeft ? t('note_left', { count: left }) : undefined}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      value={value}
      error={error}
      maxLength={maxNote}
      rows={3}
      resize="vertical"
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

interface ChoiceProps<T extends string> extends FieldProps<T> {
  readonly label: string;
  readonly options: { readonly value: T; readonly label: string }[];
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

/** A number with buttons large enough for a thumb. */
function CountField({ value, error, onChange }: FieldProps<number>) {
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
