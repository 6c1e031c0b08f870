import {
  Autocomplete,
  Box,
  Button,
  Collapse,
  Group,
  JsonInput,
  Modal,
  NativeSelect,
  NumberInput,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconChevronDown } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useEffectEvent, useId, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { hub, unwrap } from '../../api/client';
import { problemText } from '../../api/problem';
import type { components } from '../../api/schema';
import { useRefusals } from '../../api/sentences';
import { SpeciesPicture } from '../../components/pictures/species-picture';
import { ProblemAlert } from '../../components/problem-alert';
import { useSpeciesName } from '../../i18n/species-names';
import { camerasQuery, useCameraName } from '../../lib/cameras';
import { useTimeFormat } from '../../lib/format';
import { speciesListQuery } from '../../lib/species-list';
import { useCloseWarning } from '../../lib/use-leave-warning';
import { useIsPhone } from '../../lib/use-media';
import { useOpenerFocus } from '../../lib/use-opener-focus';
import { type ExampleValue, listValues, textAt } from './example-values';
import {
  checkHookName,
  type Hook,
  type HookField,
  type HookMapping,
  hookFields,
  hookRefusals,
  readExample,
  withoutEmpty,
} from './webhook';
import classes from './webhook-editor.module.css';

interface WebhookEditorProps {
  /** Undefined for a new hook. */
  readonly hook: Hook | undefined;
  /** Names of the other hooks. */
  readonly taken: readonly string[];
  /** Index in the list of hooks. */
  readonly place: number;
  readonly error: Error | null;
  readonly isSaving: boolean;
  readonly onSave: (hook: Hook) => void;
  readonly onClose: () => void;
}

/** Dialog that builds a hook from an example of the JSON that a program sends. */
export function WebhookEditor(props: WebhookEditorProps) {
  const { hook, taken, place, error, isSaving, onSave, onClose } = props;
  const { t } = useTranslation('settings');
  useOpenerFocus();
  const isPhone = useIsPhone();
  const [name, setName] = useState(hook?.name ?? '');
  const [isTried, setIsTried] = useState(false);
  const { name: _, ...stored } = hook ?? { name: '' };
  const [mapping, setMapping] = useState<HookMapping>(stored);
  const [text, setText] = useState('');
  const hasChanges =
    name !== (hook?.name ?? '') || text !== '' || JSON.stringify(mapping) !== JSON.stringify(stored);
  const close = useCloseWarning(hasChanges, onClose);
  const example = useExample(text, mapping, setMapping);
  const refusals = hookRefusals(error, place);
  const sayRefusal = useRefusals();
  const nameProblem = checkHookName(name, taken);
  const set = (part: MappingPart) =>
    setMapping((before) => withoutEmpty({ ...before, ...part }) as HookMapping);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsTried(true);
    if (nameProblem === undefined) onSave({ name, ...mapping });
  };
  const problemAt = (field: string) => {
    const found = example.preview?.problems.find((problem) => problem.field === field);
    return refusals[field] ?? (found && sayRefusal(found));
  };
  return (
    <Modal
      opened
      onClose={close}
      title={t(hook === undefined ? 'hooks.create' : 'hooks.edit_title', { name: hook?.name ?? '' })}
      closeButtonProps={{ 'aria-label': t('tokens.close') }}
      closeOnClickOutside={false}
      fullScreen={isPhone}
      size={820}
      transitionProps={{ duration: 0 }}
      styles={{ title: { fontWeight: 650, fontSize: 'var(--mantine-font-size-lg)' } }}
    >
      <form onSubmit={submit} noValidate>
        <Stack gap="lg">
          <TextInput
            label={t('hooks.name')}
            description={t('hooks.name_help')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            value={name}
            maxLength={64}
            autoComplete="off"
            data-autofocus={hook === undefined || undefined}
            error={refusals['name'] ?? (isTried && nameProblem ? t(nameProblem) : undefined)}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          <JsonInput
            label={t('hooks.example')}
            description={t('hooks.example_help')}
            placeholder={'{ "species": "Great Tit", "score": 0.93 }'}
            value={text}
            error={example.problem && t(example.problem)}
            rows={6}
            resize="vertical"
            spellCheck={false}
            onChange={setText}
          />
          <PointerFields mapping={mapping} example={example} problemAt={problemAt} onChange={set} />
          <MoreFields mapping={mapping} problemAt={problemAt} onChange={set} />
          <Outcome example={example} mapping={mapping} />
          {error !== null && Object.keys(refusals).length === 0 && (
            <ProblemAlert>{problemText(t, error)}</ProblemAlert>
          )}
        </Stack>
        <Group className={classes['bar'] ?? ''}>
          <Button variant="default" onClick={onClose}>
            {t('hooks.cancel')}
          </Button>
          <Button type="submit" loading={isSaving}>
            {t('save')}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}

type Preview = components['schemas']['PreviewedHook'];

const fetchPreview = (mapping: HookMapping, example: unknown, signal: AbortSignal): Promise<Preview> =>
  unwrap(hub.POST('/api/ui/hooks/preview', { body: { mapping, example }, signal }));

const typingMs = 300;

/** Previews how the hub would read a typed example; suggests a mapping if there is none. */
function useExample(text: string, mapping: HookMapping, onSuggest: (mapping: HookMapping) => void) {
  const read = useMemo(() => (text.trim() === '' ? undefined : readExample(text)), [text]);
  const isRead = read !== undefined && 'example' in read;
  const value = isRead ? read.example : undefined;
  const values = useMemo(() => (isRead ? listValues(value) : []), [isRead, value]);
  const [asked] = useDebouncedValue({ mapping, text }, typingMs);
  const { data: preview, error } = useQuery({
    queryKey: ['hook-preview', asked],
    queryFn: ({ signal }) => fetchPreview(asked.mapping, JSON.parse(asked.text), signal),
    enabled: isRead && asked.text === text,
    placeholderData: (before) => before,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const suggest = useEffectEvent((suggestions: HookMapping) => {
    if (!hookFields.some((field) => mapping[field] !== undefined) && mapping.text === undefined)
      onSuggest({ ...mapping, ...suggestions });
  });
  const suggestions = isRead ? preview?.suggestions : undefined;
  // Once per example: fields that are cleared afterwards stay empty.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of only the mapping triggers no new suggestion.
  useEffect(() => {
    if (suggestions !== undefined) suggest(suggestions);
  }, [JSON.stringify(suggestions)]);
  return {
    isRead,
    value,
    values,
    problem: read !== undefined && 'problem' in read ? read.problem : undefined,
    preview: isRead ? preview : undefined,
    error: isRead ? error : null,
  };
}

type Example = ReturnType<typeof useExample>;

/** Changes of a mapping; what is undefined is removed. */
type MappingPart = { readonly [Name in keyof HookMapping]?: HookMapping[Name] | undefined };

interface MappingFieldsProps {
  readonly mapping: HookMapping;
  readonly problemAt: (field: string) => string | undefined;
  readonly onChange: (part: MappingPart) => void;
}

/** Where the fields of a sighting are in the JSON. */
function PointerFields(props: MappingFieldsProps & { readonly example: Example }) {
  const { mapping, example, problemAt, onChange } = props;
  const { t } = useTranslation('settings');
  return (
    <section aria-labelledby="hook-fields">
      <Title order={3} size="h5" id="hook-fields" mb={4}>
        {t('hooks.fields')}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t(example.isRead ? 'hooks.fields_found' : 'hooks.fields_help')}
      </Text>
      <div className={classes['fields']}>
        {hookFields.map((field) => (
          <PointerField
            key={field}
            field={field}
            value={mapping[field] ?? ''}
            values={example.values}
            found={textAt(example.value, mapping[field] ?? '')}
            isRead={example.isRead}
            problem={problemAt(field)}
            onChange={(pointer) => onChange({ [field]: pointer })}
          />
        ))}
      </div>
    </section>
  );
}

interface PointerFieldProps {
  readonly field: HookField;
  readonly value: string;
  readonly values: readonly ExampleValue[];
  /** Value of the example at the pointer. */
  readonly found: string | undefined;
  readonly isRead: boolean;
  readonly problem: string | undefined;
  readonly onChange: (pointer: string) => void;
}

/** Input for the JSON Pointer of a field, with the value it selects. */
function PointerField({ field, value, values, found, isRead, problem, onChange }: PointerFieldProps) {
  const { t } = useTranslation('settings');
  const texts = new Map(values.map((one) => [one.pointer, one.text]));
  const isLost = isRead && value !== '' && found === undefined;
  return (
    <Autocomplete
      label={t(`hooks.field.${field}`)}
      placeholder={t('hooks.not_used')}
      description={value !== '' && found !== undefined ? `= ${found}` : undefined}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      data={[...texts.keys()]}
      // Offers all values, even if one is selected already.
      filter={({ options }) => options}
      value={value}
      error={problem ?? (isLost ? t('hooks.nothing_there') : undefined)}
      clearable
      clearButtonProps={{ 'aria-label': t('hooks.clear', { field: t(`hooks.field.${field}`) }) }}
      comboboxProps={{ withinPortal: false }}
      withScrollArea={false}
      autoComplete="off"
      spellCheck={false}
      onChange={onChange}
      renderOption={({ option }) => (
        <Box miw={0}>
          <Text size="sm" truncate>
            {texts.get(option.value)}
          </Text>
          <Text size="xs" c="dimmed" truncate className={classes['code'] ?? ''}>
            {option.value}
          </Text>
        </Box>
      )}
      classNames={{ input: classes['code'] ?? '', description: classes['found'] ?? '' }}
      styles={{ options: { maxHeight: '16rem', overflowY: 'auto' } }}
    />
  );
}

/** Less common options: a fixed camera, whether the birds were heard, a minimum confidence, a pattern for texts. */
function MoreFields({ mapping, problemAt, onChange }: MappingFieldsProps) {
  const { t } = useTranslation('settings');
  const { percentSuffix } = useTimeFormat();
  const { data: cameras = [] } = useQuery(camerasQuery);
  const id = useId();
  const { camera_id, source, min_confidence, text, pattern } = mapping;
  const [isOpen, setIsOpen] = useState(
    [camera_id, source, min_confidence, text, pattern].some((value) => value !== undefined),
  );
  return (
    <div>
      <Button
        variant="subtle"
        size="compact-md"
        ml={-8}
        aria-expanded={isOpen}
        aria-controls={id}
        rightSection={<IconChevronDown size={16} aria-hidden />}
        onClick={() => setIsOpen(!isOpen)}
      >
        {t('hooks.more')}
      </Button>
      <Collapse expanded={isOpen} id={id}>
        <div className={classes['fields']}>
          <Autocomplete
            label={t('hooks.camera_id')}
            description={t('hooks.camera_id_help')}
            data={cameras.map((camera) => camera.id)}
            comboboxProps={{ withinPortal: false }}
            value={camera_id ?? ''}
            maxLength={64}
            error={problemAt('camera_id')}
            onChange={(value) => onChange({ camera_id: value })}
          />
          <NativeSelect
            label={t('hooks.source')}
            data={[
              { value: '', label: t('hooks.source.video') },
              { value: 'audio', label: t('hooks.source.audio') },
            ]}
            value={source === 'audio' ? 'audio' : ''}
            error={problemAt('source')}
            onChange={({ currentTarget }) =>
              onChange({ source: currentTarget.value === 'audio' ? 'audio' : undefined })
            }
          />
          <NumberInput
            label={t('hooks.min_confidence')}
            description={t('hooks.min_confidence_help')}
            min={0}
            max={100}
            allowDecimal={false}
            suffix={percentSuffix}
            value={min_confidence === undefined ? '' : Math.round(min_confidence * 100)}
            error={problemAt('min_confidence')}
            onChange={(value) =>
              onChange({ min_confidence: typeof value === 'number' ? value / 100 : undefined })
            }
          />
          <TextInput
            label={t('hooks.text')}
            description={t('hooks.text_help')}
            value={text ?? ''}
            maxLength={500}
            spellCheck={false}
            error={problemAt('text')}
            classNames={{ input: classes['code'] ?? '' }}
            onChange={({ currentTarget }) => onChange({ text: currentTarget.value })}
          />
          <TextInput
            label={t('hooks.pattern')}
            description={t('hooks.pattern_help')}
            value={pattern ?? ''}
            maxLength={500}
            spellCheck={false}
            error={problemAt('pattern')}
            classNames={{ input: classes['code'] ?? '' }}
            onChange={({ currentTarget }) => onChange({ pattern: currentTarget.value })}
          />
        </div>
      </Collapse>
    </div>
  );
}

/** The sighting that the example would create, or why there is none. */
function Outcome({ example, mapping }: { readonly example: Example; readonly mapping: HookMapping }) {
  const { t } = useTranslation('settings');
  const { preview, error, isRead } = example;
  const sighting = preview?.sighting;
  return (
    <section aria-labelledby="hook-outcome" className={classes['outcome']}>
      <Title order={3} size="h5" id="hook-outcome">
        {t('hooks.outcome')}
      </Title>
      <div role="status">
        {!isRead && (
          <Text size="sm" c="dimmed">
            {t('hooks.outcome_hint')}
          </Text>
        )}
        {error !== null && (
          <Text size="sm" c="var(--mantine-color-error)">
            {problemText(t, error)}
          </Text>
        )}
        {sighting && <SightingPreview sighting={sighting} minConfidence={mapping.min_confidence ?? 0} />}
        {preview && sighting === undefined && (
          <Text size="sm" c="var(--mantine-color-error)">
            {t('hooks.no_sighting')}
          </Text>
        )}
      </div>
    </section>
  );
}

interface SightingPreviewProps {
  readonly sighting: NonNullable<Preview['sighting']>;
  readonly minConfidence: number;
}

function SightingPreview({ sighting, minConfidence }: SightingPreviewProps) {
  const { t } = useTranslation('settings');
  const nameOf = useSpeciesName();
  const cameraName = useCameraName();
  const { clock, moment, dayOf, today, percent } = useTimeFormat();
  const { data: known = [] } = useQuery(speciesListQuery);
  const { time, confidence, camera_id, count, note, image_url, image_base64 } = sighting;
  const [, english, latin] = /^(.+) \((.+)\)$/.exec(sighting.species_name) ?? [];
  const names = [sighting.species_name, english, latin];
  const species = known.find(({ name, scientific_name }) =>
    names.some((one) => one !== undefined && (one === name || one === scientific_name)),
  );
  const when =
    time === undefined ? t('hooks.on_arrival') : dayOf(time) === today() ? clock(time) : moment(time);
  const details = [
    when,
    confidence === undefined ? undefined : percent(confidence),
    count === undefined ? undefined : t('hooks.birds', { count }),
    camera_id === undefined ? undefined : t('hooks.from_camera', { camera: cameraName(camera_id) }),
  ];
  const isTooLow = (confidence ?? 1) < minConfidence;
  return (
    <Group wrap="nowrap" align="flex-start" gap="md">
      <Box w={96} flex="none">
        <SpeciesPicture url={image_url ?? species?.image_url} fallbackUrl={species?.image_url} alt="" />
      </Box>
      <Stack gap={4} miw={0}>
        <Text fw={600}>{species ? nameOf(species.name) : sighting.species_name}</Text>
        <Text size="sm">{details.filter(Boolean).join(' · ')}</Text>
        {note !== undefined && (
          <Text size="sm" c="dimmed" lineClamp={2}>
            {note}
          </Text>
        )}
        {image_base64 !== undefined && <Text size="sm">{t('hooks.with_picture')}</Text>}
        {species === undefined && (
          <Text size="sm" c="dimmed">
            {t('hooks.new_species')}
          </Text>
        )}
        {isTooLow && (
          <Text size="sm" c="var(--mantine-color-error)">
            {t('hooks.too_low', { share: percent(minConfidence) })}
          </Text>
        )}
      </Stack>
    </Group>
  );
}
