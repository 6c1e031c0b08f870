import { ActionIcon, Group, Kbd, Popover, Stack, Text } from '@mantine/core';
import { IconKeyboard } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

const lines = [
  { keys: ['␣'], text: 'key_toggle' },
  { keys: [',', '.'], text: 'key_frames' },
  { keys: ['J', 'L'], text: 'key_seconds' },
  { keys: ['←', '→'], text: 'key_neighbors' },
  { keys: ['B'], text: 'key_boxes' },
  { keys: ['M'], text: 'key_mute' },
  { keys: ['F'], text: 'key_favorite' },
] as const;

/** Tells what the keyboard does here; of no use without one. */
export function KeyHelp() {
  const { t } = useTranslation('recording');
  return (
    <Popover position="top-end" withinPortal={false}>
      <Popover.Target>
        <ActionIcon variant="subtle" size={34} aria-label={t('keys')} visibleFrom="sm">
          <IconKeyboard size={20} aria-hidden />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap={6}>
          {lines.map(({ keys, text }) => (
            <Group key={text} gap="sm" wrap="nowrap">
              <Group gap={4} w={64} wrap="nowrap">
                {keys.map((key) => (
                  <Kbd key={key}>{key}</Kbd>
                ))}
              </Group>
              <Text size="sm">{t(text)}</Text>
            </Group>
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
