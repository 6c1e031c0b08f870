import { ActionIcon, Group, Kbd, Modal, Switch, Table } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconKeyboard } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { readStored, store } from '../lib/storage';

/** Handles a key; returns false to keep the browser's default. */
type KeyHandler = (event: KeyboardEvent) => unknown;

const isTyping = (target: Element) => target.closest('input, textarea, select, [contenteditable]') !== null;
const isInOverlay = (target: Element) => target.closest('[role="dialog"], [role="menu"]') !== null;

/** AltGr, needed for brackets on some keyboards, reports Ctrl and Alt. */
const isCommand = (event: KeyboardEvent) =>
  (event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState('AltGraph');

/** Binds single keys (`KeyboardEvent.key`), except while typing or in a dialog. */
export function useShortcuts(handlers: Readonly<Record<string, KeyHandler>>): void {
  const [areOn] = useSingleKeys();
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { target, key } = event;
    const handle = Object.hasOwn(handlers, key) ? handlers[key] : undefined;
    if (handle === undefined || event.defaultPrevented || isCommand(event)) return;
    if (target instanceof Element && (isTyping(target) || isInOverlay(target))) return;
    if (handle(event) !== false) event.preventDefault();
  });
  useEffect(() => {
    if (!areOn) return undefined;
    const listen = (event: KeyboardEvent) => onKey(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [areOn]);
}

const storageKey = 'birdhub.single-keys';
const listeners = new Set<() => void>();

const areOn = (): boolean => readStored(storageKey) !== 'off';

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether single-key shortcuts are on in this browser; voice control users turn them off (WCAG 2.1.4). */
export function useSingleKeys(): readonly [areOn: boolean, set: (areOn: boolean) => void] {
  const set = (on: boolean) => {
    store(storageKey, on ? 'on' : 'off');
    for (const listener of listeners) listener();
  };
  return [useSyncExternalStore(subscribe, areOn), set];
}

/** Keys with the same action. */
interface Shortcut {
  readonly keys: readonly string[];
  /** Description of the action. */
  readonly action: string;
}

/** A button and the key `?` that list the shortcuts of a page; hidden on phones. */
export function ShortcutHelp({ shortcuts }: { readonly shortcuts: readonly Shortcut[] }) {
  const { t } = useTranslation('components');
  const [isOpen, { open, close }] = useDisclosure(false);
  const [areOn, setOn] = useSingleKeys();
  useShortcuts({ '?': open });
  return (
    <>
      <ActionIcon
        variant="default"
        size={36}
        visibleFrom="sm"
        aria-label={t('shortcuts.title')}
        title={t('shortcuts.title')}
        onClick={open}
      >
        <IconKeyboard size={20} stroke={1.6} aria-hidden />
      </ActionIcon>
      <Modal
        opened={isOpen}
        onClose={close}
        title={t('shortcuts.title')}
        closeButtonProps={{ 'aria-label': t('shortcuts.close') }}
      >
        <Table verticalSpacing="xs">
          <Table.Tbody>
            {[...shortcuts, { keys: ['?'], action: t('shortcuts.help') }].map(({ keys, action }) => (
              <Table.Tr key={action}>
                <Table.Td w="40%">
                  <Group gap={4}>
                    {keys.map((key) => (
                      <Kbd key={key}>{key}</Kbd>
                    ))}
                  </Group>
                </Table.Td>
                <Table.Td>{action}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        <Switch
          mt="md"
          checked={areOn}
          onChange={({ currentTarget }) => setOn(currentTarget.checked)}
          label={t('shortcuts.on')}
          description={t('shortcuts.on_hint')}
        />
      </Modal>
    </>
  );
}
