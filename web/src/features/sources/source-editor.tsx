import { Button, Group, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { problemText } from '../../api/problem';
import { ProblemAlert } from '../../components/problem-alert';
import { useHubFacts } from '../../lib/hub-facts';
import { uniqueName } from '../../lib/unique-name';
import { useDraftForm, useRequiredFields } from '../../lib/use-draft-form';
import { useLeaveWarning } from '../../lib/use-leave-warning';
import { CameraNames } from './camera-names';
import { SourceFields } from './source-fields';
import {
  draftOf,
  emptyDraft,
  type FormField,
  isPasswordLost,
  missingFields,
  refusalsOf,
  type Source,
  type SourceDraft,
  toChange,
  toNewSource,
  toTest,
} from './source-form';
import type { SourceKind } from './source-kinds';
import classes from './sources.module.css';
import { useCreateSource, useTestSource, useUpdateSource } from './sources-queries';
import { TestOutcome } from './test-outcome';

interface AddSourceProps {
  readonly kind: SourceKind;
  /** Names of existing sources. */
  readonly taken: readonly string[];
  /** Whether there is another source of this kind. */
  readonly hasSibling: boolean;
}

/** The form of a new source. */
export function AddSource({ kind, taken, hasSibling }: AddSourceProps) {
  const { t } = useTranslation('sources');
  const { zone } = useHubFacts();
  const navigate = useNavigate();
  const create = useCreateSource();
  return (
    <SourceEditor
      kind={kind}
      stored={undefined}
      initial={emptyDraft(kind, uniqueName(t(`kind.${kind}`), taken), zone)}
      cameraPrefix={({ name }) => (hasSibling ? name.trim() : undefined)}
      error={create.error}
      isSaving={create.isPending}
      saveLabel={(tested) =>
        t(({ passed: 'add', failed: 'add_anyway', not: 'add_untested' } as const)[tested])
      }
      onSave={(draft) =>
        create.mutate(toNewSource(kind, draft), {
          onSuccess: ({ id }) =>
            void navigate({ to: '/sources', search: { added: id }, ignoreBlocker: true }),
        })
      }
    />
  );
}

/** The form of an existing source. */
export function EditSource({ source }: { readonly source: Source }) {
  const { t } = useTranslation('sources');
  const { zone } = useHubFacts();
  const navigate = useNavigate();
  const update = useUpdateSource();
  // Kept from when the form was opened, as the list is polled.
  const [stored] = useState(source);
  return (
    <SourceEditor
      kind={stored.kind}
      stored={stored}
      initial={draftOf(stored, zone)}
      cameraPrefix={() => stored.options.camera_prefix ?? undefined}
      error={update.error}
      isSaving={update.isPending}
      saveLabel={() => t('save')}
      onSave={(draft) =>
        update.mutate(
          { id: stored.id, change: toChange(stored, draft, zone) },
          {
            onSuccess: () => {
              notifications.show({ message: t('saved') });
              void navigate({ to: '/sources', ignoreBlocker: true });
            },
          },
        )
      }
    />
  );
}

/** Outcome of the test of the current form. */
type Tested = 'passed' | 'failed' | 'not';

interface SourceEditorProps {
  readonly kind: SourceKind;
  /** Undefined for a new source. */
  readonly stored: Source | undefined;
  readonly initial: SourceDraft;
  /** Returns what precedes the names of unmapped cameras. */
  readonly cameraPrefix: (draft: SourceDraft) => string | undefined;
  readonly error: Error | null;
  readonly isSaving: boolean;
  readonly saveLabel: (tested: Tested) => ReactNode;
  readonly onSave: (draft: SourceDraft) => void;
}

/** The form, its connection test, and the names of the cameras that the test found. */
function SourceEditor(props: SourceEditorProps) {
  const { kind, stored, initial, cameraPrefix, error, isSaving, saveLabel, onSave } = props;
  const { t } = useTranslation('sources');
  const { first, draft, change, hasChanges } = useDraftForm(initial);
  const { form, missing, whenComplete } = useRequiredFields(missingFields(kind, draft));
  useLeaveWarning(hasChanges);
  const { zone } = useHubFacts();
  const test = useConnectionTest(toTest(kind, draft, stored, zone));
  const refusals = refusalsOf(error);
  const problems = new Map<FormField, string>(missing.map((field) => [field, t('missing')]));
  for (const [field, message] of Object.entries({ ...refusalsOf(test.error), ...refusals }))
    problems.set(field as FormField, message);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    whenComplete(() => onSave(draft));
  };
  const isLost = stored !== undefined && isPasswordLost(stored, draft);
  const found = test.result?.sample.map(({ camera }) => camera) ?? [];
  const known = stored?.cameras.map(({ upstream }) => upstream) ?? [];
  const cameras = [...new Set([...known, ...found, ...Object.keys(first.cameras)])];
  return (
    <form ref={form} onSubmit={submit} noValidate>
      <div className={classes['editor']}>
        <div className={classes['card']}>
          <Stack gap="md">
            <Text size="sm">{t(`kind.${kind}.intro`)}</Text>
            <SourceFields
              kind={kind}
              draft={draft}
              hasPassword={stored?.has_password === true && !isLost}
              isPasswordLost={isLost}
              problems={problems}
              onChange={change}
            />
          </Stack>
        </div>
        <Stack gap="md" className={classes['outcome'] ?? ''}>
          <div className={classes['card']}>
            <TestOutcome
              result={test.result}
              error={test.error}
              isTesting={test.isTesting}
              isOutdated={test.isOutdated}
              onTest={() => whenComplete(test.run)}
              onCancel={test.cancel}
            />
          </div>
          {cameras.length > 0 && (
            <div className={classes['card']}>
              <CameraNames
                cameras={cameras}
                names={draft.cameras}
                prefix={cameraPrefix(draft)}
                problem={problems.get('cameras')}
                onChange={(names) => change({ cameras: names })}
              />
            </div>
          )}
          {error !== null && Object.keys(refusals).length === 0 && (
            <ProblemAlert>{problemText(t, error)}</ProblemAlert>
          )}
          <Group justify="flex-end">
            <Button variant="default" renderRoot={(rest) => <Link to="/sources" {...rest} />}>
              {t('cancel')}
            </Button>
            <Button
              type="submit"
              variant={test.tested === 'passed' || stored !== undefined ? 'filled' : 'light'}
              loading={isSaving}
              disabled={test.isTesting}
            >
              {saveLabel(test.tested)}
            </Button>
          </Group>
        </Stack>
      </div>
    </form>
  );
}

/** The test of the connection that a form describes; its result is outdated once the form describes another one. */
function useConnectionTest(request: ReturnType<typeof toTest>) {
  const { data: result, error, isPending, mutate, cancel } = useTestSource();
  const connection = connectionOf(request);
  const [testedConnection, setTestedConnection] = useState<string>();
  const isOutdated = testedConnection !== undefined && testedConnection !== connection;
  const outcome: Tested = result?.ok === true ? 'passed' : 'failed';
  const tested: Tested = result === undefined || isOutdated ? 'not' : outcome;
  return {
    result,
    error,
    isTesting: isPending,
    isOutdated,
    tested,
    run: () => {
      setTestedConnection(connection);
      mutate(request);
    },
    cancel,
  };
}

/** Returns the fields on which a test depends as text; the names of cameras are not among them. */
function connectionOf({ name: _, options, ...rest }: ReturnType<typeof toTest>): string {
  const { cameras: __, write_back: ___, ...others } = options ?? {};
  return JSON.stringify({ ...rest, options: others });
}
