import type { SettingsReader } from '@birdhub/domain/settings';
import { requireUnlocked } from '@birdhub/shared/app';

/** Requires an unlocked hub if the settings protect recordings. @throws HubError `unlock_required` */
export async function requireRecordingAccess(
  request: Parameters<typeof requireUnlocked>[0],
  settings: SettingsReader,
): Promise<void> {
  const { general } = await settings.current();
  if (general.require_auth_for_video_stream) requireUnlocked(request);
}
