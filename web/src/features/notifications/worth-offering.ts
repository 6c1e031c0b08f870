import type { DeviceState } from './this-device';

/** Whether messages are worth a word where nobody asked: not where they are on, refused or not to be had. */
export function worthOffering(state: DeviceState | undefined): boolean {
  return state === 'off' || state === 'needs_home_screen';
}
