import {
  IconBinoculars,
  IconCalendarStats,
  IconFeather,
  IconFileText,
  IconHelpHexagon,
  type IconProps,
  IconServer2,
  IconSettings,
  IconSun,
  IconTimeline,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';

/** The pages that the navigation offers, in its order; the first four stand in the bar of a phone. */
export const destinations = [
  { name: 'today', to: '/', icon: IconSun },
  { name: 'timeline', to: '/timeline', icon: IconTimeline },
  { name: 'review', to: '/timeline', search: { review: 1 }, icon: IconHelpHexagon },
  { name: 'species', to: '/species', icon: IconFeather },
  { name: 'calendar', to: '/calendar', icon: IconCalendarStats },
  { name: 'region', to: '/region', icon: IconBinoculars },
  { name: 'reports', to: '/reports', icon: IconFileText },
  { name: 'system', to: '/system', icon: IconServer2 },
  { name: 'settings', to: '/settings', icon: IconSettings },
] as const satisfies readonly {
  name: string;
  to: string;
  search?: object;
  icon: ComponentType<IconProps>;
}[];

export type Destination = (typeof destinations)[number];

/** Places in the bar at the bottom of a phone's screen. */
export const barPlaces = 4;
