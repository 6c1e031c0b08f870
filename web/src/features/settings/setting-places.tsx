import {
  IconBell,
  IconBinoculars,
  IconBowlSpoon,
  IconCamera,
  IconCloud,
  IconDatabase,
  IconDeviceMobile,
  IconFeather,
  IconLock,
  IconMapPin,
  IconMusic,
  IconPlugConnected,
  type IconProps,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { groupNames, type SettingGroup } from './setting-groups';

/** A part of the page: a group of the hub's settings, or what this device alone keeps. */
export type SettingPlace = 'device' | SettingGroup;

export const settingPlaces: readonly SettingPlace[] = ['device', ...groupNames];

export const placeIcons: Readonly<Record<SettingPlace, ComponentType<IconProps>>> = {
  device: IconDeviceMobile,
  hub: IconMapPin,
  access: IconLock,
  visits: IconFeather,
  cameras: IconCamera,
  notifications: IconBell,
  feeder: IconBowlSpoon,
  storage: IconDatabase,
  weather: IconCloud,
  mqtt: IconPlugConnected,
  ebird: IconBinoculars,
  services: IconMusic,
};

/** The part that the end of an address names, such as `feeder` of `#feeder`. */
export const placeOf = (hash: string): SettingPlace | undefined =>
  settingPlaces.find((place) => place === hash);
