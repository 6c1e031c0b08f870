import { ActionIcon, Group, Kbd, Modal, Switch, Table } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconKeyboard } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useSingleKeys } from './single-keys';
import { useShortcuts } from './use-shortcuts';

/** Keys that do the same, and what that is. */
export interface Shortcut {
  readonly keys: readonly string[];
  readonly does: string;
}

/** A button, and the key `?`, that tell which keys do what on this page; where there is a keyboard. */
export function ShortcutHelp({ shortcuts }: { readonly shortcuts: readonly Shortcut[] }) {
  const { t } = useTranslation('shortcuts');
  const [isOpen, { open, close }] = useDisclosure(false);
  const [areOn, setOn] = useSingleKeys();
  useShortcuts({ '?': open });
  return (
    <>
      <ActionIcon
        variant="default"
        size={36}
        visibleFrom="sm"
        aria-label={t('title')}
        title={t('title')}
        onClick={open}
      >
        <IconKeyboard size={20} stroke={1.6} aria-hidden />
      </ActionIcon>
      <Modal
        opened={isOpen}
        onClose={close}
        title={t('title')}
        closeButtonProps={{ 'aria-label': t('close') }}
      >
        <Table verticalSpacing="xs">
          <Table.Tbody>
            {[...shortcuts, { keys: ['?'], does: t('help') }].map(({ keys, does }) => (
              <Table.Tr key={does}>
                <Table.Td w="40%">
                  <Group gap={4}>
                    {keys.map((key) => (
                      <Kbd key={key}>{key}</Kbd>
                    ))}
                  </Group>
                </Table.Td>
                <Table.Td>{does}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        <Switch
          mt="md"
          checked={areOn}
          onChange={({ currentTarget }) => setOn(currentTarget.checked)}
          label={t('on')}
          description={t('on_hint')}
        />
      </Modal>
    </>
  );
}
