import { ThemeIcon } from '@mantine/core';
import { IconCamera, IconHistory, IconMicrophone, type IconProps } from '@tabler/icons-react';
import type { ComponentType } from 'react';
import type { SourceKind } from './source-kinds';

const icons: Readonly<Record<SourceKind, ComponentType<IconProps>>> = {
  frigate: IconCamera,
  'birdnet-go': IconMicrophone,
  'birdnet-pi': IconMicrophone,
  'ya-wamf': IconHistory,
  whosatmyfeeder: IconHistory,
};

/** Icon for a kind of program: video, audio or history. */
export function KindIcon({ kind }: { readonly kind: SourceKind }) {
  const Icon = icons[kind];
  return (
    <ThemeIcon size={44} radius="md" variant="light" flex="none">
      <Icon size={24} stroke={1.6} aria-hidden />
    </ThemeIcon>
  );
}
