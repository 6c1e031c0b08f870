import {
  Alert,
  Button,
  Collapse,
  Group,
  Modal,
  NativeSelect,
  NumberInput,
  PasswordInput,
  Stack,
  Switch,
  TagsInput,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { IconAlertTriangle, IconChevronDown, IconCircleCheck } from '@tabler/icons-react';
import { type ComponentType, type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Problem, problemText } from '../../api/problem';
import type { components } from '../../api/schema';
import { useSentences } from '../../api/sentences';
import { ProblemAlert } from '../../components/problem-alert';
import { uniqueName } from '../../lib/unique-name';
import { useDraftForm, useRequiredFields } from '../../lib/use-draft-form';
import { useCloseWarning } from '../../lib/use-leave-warning';
import { useIsPhone } from '../../lib/use-media';
import { useOpenerFocus } from '../../lib/use-opener-focus';
import {
  type Channel,
  type ChannelDraft,
  type ChannelField,
  type ChannelKind,
  channelChange,
  channelDraft,
  channelFields,
  missingChannelFields,
} from './channel-kinds';
import { useSaveChannel, useTestChannel } from './channel-queries';

interface ChannelEditorProps {
  readonly kind: ChannelKind;
  /** Undefined for a new one. */
  readonly stored: Channel | undefined;
  /** Names of existing channels. */
  readonly taken: readonly string[];
  readonly onClose: () => void;
}

const order = ['label', 'input', 'description', 'error'] as const;

/** Form of a channel, with a button that sends a test message. */
export function ChannelEditor({ kind, stored, taken, onClose }: ChannelEditorProps) {
  const { t } = useTranslation('notifications');
  useOpenerFocus();
  const isPhone = useIsPhone();
  const { draft, setDraft, change, hasChanges } = useDraftForm(() =>
    channelDraft(kind, uniqueName(t(`channel.kind.${kind}`), taken), stored),
  );
  const { form, missing, whenComplete } = useRequiredFields(missingChannelFields(kind, draft, stored));
  const close = useCloseWarning(hasChanges, onClose);
  const save = useSaveChannel();
  const test = useTestChannel();
  const refused = { ...refusalsOf(test.error), ...refusalsOf(save.error) };
  const problemOf = (name: string) => (missing.includes(name) ? t('channel.missing') : refused[name]);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    whenComplete(() =>
      save.mutate(
        { id: stored?.id, kind, name: draft.name.trim(), ...channelChange(kind, draft) },
        { onSuccess: onClose },
      ),
    );
  };
  const runTest = () =>
    whenComplete(() =>
      test.mutate({ ...(stored && { id: stored.id }), kind, ...channelChange(kind, draft) }),
    );
  const error = save.error ?? test.error;
  const isUnexplained = error !== null && Object.keys(refused).length === 0;
  return (
    <Modal
      opened
      onClose={() => !save.isPending && close()}
      closeOnClickOutside={false}
      title={stored ? t('channel.edit_title', { name: stored.name }) : t(`channel.kind.${kind}`)}
      closeButtonProps={{ 'aria-label': t('channel.cancel') }}
      fullScreen={isPhone}
      size="lg"
    >
      <form ref={form} onSubmit={submit} noValidate>
        <Stack gap="md">
          <Text size="sm">{t(`channel.kind.${kind}.intro`)}</Text>
          <TextInput
            name="name"
            label={t('channel.field.name')}
            value={draft.name}
            maxLength={64}
            required
            error={problemOf('name')}
            onChange={({ currentTarget }) => change({ name: currentTarget.value })}
          />
          <Fields kind={kind} stored={stored} draft={draft} problemOf={problemOf} onChange={setDraft} />
          <TestResult isTesting={test.isPending} result={test.data} />
          {isUnexplained && <ProblemAlert>{problemText(t, error)}</ProblemAlert>}
          <Group justify="space-between" gap="xs">
            <Button variant="default" onClick={runTest} loading={test.isPending}>
              {t('channel.test')}
            </Button>
            <Group gap="xs">
              <Button variant="default" onClick={onClose}>
                {t('channel.cancel')}
              </Button>
              <Button type="submit" loading={save.isPending}>
                {t(stored ? 'channel.save' : 'channel.add')}
              </Button>
            </Group>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

/** Returns the error messages of single fields by field name. */
function refusalsOf(error: Error | null): Readonly<Record<string, string>> {
  if (!(error instanceof Problem)) return {};
  if (error.code === 'channel_name_taken') return { name: error.message };
  const found = error.details.map(({ path, message }) => [path.split('/').at(-1) ?? '', message] as const);
  return Object.fromEntries(found.filter(([name]) => name !== ''));
}

interface TestResultProps {
  readonly isTesting: boolean;
  readonly result: components['schemas']['NotificationChannelTest'] | undefined;
}

function TestResult({ isTesting, result }: TestResultProps) {
  const { t } = useTranslation('notifications');
  const translate = useSentences();
  return (
    <div aria-live="polite">
      {!isTesting && result && (
        <Alert
          color={result.ok ? 'green' : 'red'}
          icon={result.ok ? <IconCircleCheck aria-hidden /> : <IconAlertTriangle aria-hidden />}
          title={t(result.ok ? 'channel.test_ok' : 'channel.test_failed')}
        >
          {result.ok ? t('channel.test_ok_help') : translate(result.sentences, result.message)}
        </Alert>
      )}
    </div>
  );
}

interface FieldsProps {
  readonly kind: ChannelKind;
  readonly stored: Channel | undefined;
  readonly draft: ChannelDraft;
  readonly problemOf: (name: string) => string | undefined;
  readonly onChange: (change: (before: ChannelDraft) => ChannelDraft) => void;
}

/** The fields of a kind; less common ones are collapsed. */
function Fields(props: FieldsProps) {
  const { kind, problemOf } = props;
  const { t } = useTranslation('notifications');
  const id = useId();
  const all = channelFields[kind];
  const folded = all.filter(({ isFolded }) => isFolded);
  const [isOpen, setIsOpen] = useState(false);
  const isShown = isOpen || folded.some(({ name }) => problemOf(name) !== undefined);
  return (
    <>
      {all
        .filter(({ isFolded }) => !isFolded)
        .map((field) => (
          <Field key={field.name} field={field} {...props} />
        ))}
      {folded.length > 0 && (
        <div>
          <Button
            variant="subtle"
            px={0}
            aria-expanded={isShown}
            aria-controls={id}
            rightSection={<IconChevronDown size={16} aria-hidden />}
            onClick={() => setIsOpen(!isShown)}
          >
            {t('channel.more_options')}
          </Button>
          <Collapse expanded={isShown} id={id}>
            <Stack gap="md" pt="xs">
              {folded.map((field) => (
                <Field key={field.name} field={field} {...props} />
              ))}
            </Stack>
          </Collapse>
        </div>
      )}
    </>
  );
}

function Field({
  field,
  kind,
  stored,
  draft,
  problemOf,
  onChange,
}: FieldsProps & { readonly field: ChannelField }) {
  const { t, i18n } = useTranslation('notifications');
  const { name, type, placeholder = '', isRequired = false } = field;
  const helpKeys = [`channel.help.${kind}.${name}`, `channel.help.${name}`];
  const helpKey = helpKeys.find((key) => i18n.exists(key, { ns: 'notifications' }));
  const labelKeys = [`channel.field.${kind}.${name}`, `channel.field.${name}`];
  const translate = t as (key: string) => string;
  const common = {
    name,
    label: translate(labelKeys.find((key) => i18n.exists(key, { ns: 'notifications' })) ?? ''),
    description: helpKey && translate(helpKey),
    error: problemOf(name),
    required: isRequired,
    placeholder,
    inputWrapperOrder: [...order],
  };
  if (field.isSecret) return <SecretField {...{ field, common, stored, draft, onChange }} />;
  const Control = controls[type] ?? TextControl;
  return (
    <Control
      field={field}
      common={common}
      value={draft.options[name]}
      onChange={(next) => onChange((before) => ({ ...before, options: { ...before.options, [name]: next } }))}
    />
  );
}

/** Properties that all controls of Mantine have. */
interface CommonProps {
  readonly name: string;
  readonly label: string;
  readonly description: string | undefined;
  readonly error: string | undefined;
  readonly required: boolean;
  readonly placeholder: string;
  readonly inputWrapperOrder: ('label' | 'input' | 'description' | 'error')[];
}

interface ControlProps {
  readonly field: ChannelField;
  readonly common: CommonProps;
  readonly value: OptionValue | undefined;
  readonly onChange: (value: OptionValue) => void;
}

type OptionValue = ChannelDraft['options'][string];

/** Controls of the types of fields that are not a line of text. */
const controls: Readonly<Partial<Record<ChannelField['type'], ComponentType<ControlProps>>>> = {
  switch: SwitchControl,
  number: NumberControl,
  list: ListControl,
  choice: ChoiceControl,
};

function TextControl({ field: { type }, common, value, onChange }: ControlProps) {
  return (
    <TextInput
      {...common}
      value={String(value ?? '')}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      {...(type === 'url' && { inputMode: 'url' as const })}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

function SwitchControl({ common: { name, label, description }, value, onChange }: ControlProps) {
  return (
    <Switch
      name={name}
      label={label}
      description={description}
      checked={value === true}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
  );
}

function NumberControl({ field: { min, max }, common, value, onChange }: ControlProps) {
  return (
    <NumberInput
      {...common}
      value={typeof value === 'number' ? value : ''}
      allowDecimal={false}
      {...(min !== undefined && { min })}
      {...(max !== undefined && { max })}
      onChange={(next) => onChange(typeof next === 'number' ? next : '')}
    />
  );
}

function ListControl({ common, value, onChange }: ControlProps) {
  return (
    <TagsInput
      {...common}
      value={Array.isArray(value) ? [...value] : []}
      acceptValueOnBlur
      onChange={onChange}
    />
  );
}

function ChoiceControl({ field: { name, choices = [] }, common, value, onChange }: ControlProps) {
  const { t } = useTranslation('notifications');
  const translate = t as (key: string) => string;
  const { placeholder: _, ...rest } = common;
  return (
    <NativeSelect
      {...rest}
      data={choices.map((choice) => ({ value: choice, label: translate(`channel.${name}.${choice}`) }))}
      value={String(value ?? '')}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

interface SecretFieldProps {
  readonly field: ChannelField;
  readonly common: CommonProps;
  readonly stored: Channel | undefined;
  readonly draft: ChannelDraft;
  readonly onChange: FieldsProps['onChange'];
}

/** A stored secret is never shown; it is kept until it is replaced or removed. */
function SecretField({
  field: { name, type, isRequired },
  common,
  stored,
  draft,
  onChange,
}: SecretFieldProps) {
  const { t } = useTranslation('notifications');
  const isStored = stored?.secrets.includes(name) === true && !draft.removed.includes(name);
  const set = (value: string) =>
    onChange((before) => ({ ...before, secrets: { ...before.secrets, [name]: value } }));
  const remove = () => onChange((before) => ({ ...before, removed: [...before.removed, name] }));
  const given = {
    ...common,
    required: common.required && !isStored,
    placeholder: isStored ? t('channel.stored') : common.placeholder,
    value: draft.secrets[name] ?? '',
    autoComplete: 'off',
  };
  return (
    <Stack gap={4}>
      {type === 'lines' ? (
        <Textarea
          {...given}
          autosize
          minRows={2}
          spellCheck={false}
          onChange={({ currentTarget }) => set(currentTarget.value)}
        />
      ) : (
        <PasswordInput {...given} onChange={({ currentTarget }) => set(currentTarget.value)} />
      )}
      {isStored && !isRequired && (
        <Button
          variant="subtle"
          size="compact-sm"
          px={0}
          style={{ alignSelf: 'flex-start' }}
          onClick={remove}
        >
          {t('channel.remove_secret', { name: common.label })}
        </Button>
      )}
    </Stack>
  );
}
