/** Types of the rows that the hub itself writes to the activity log. */
export const hubActivityTypes = [
  'assistant_call',
  'birdlense_import',
  'correction_reverted',
  'detection_confirmed',
  'feed_dispense',
  'feed_dispense_failed',
  'recording_removed',
  'settings_change',
  'share_created',
  'share_revoked',
  'sighting_added',
  'species_correction',
  'species_edited',
  'species_merge_reverted',
  'species_merged',
  'token_created',
  'token_revoked',
  'token_used',
] as const;

/** One of {@link hubActivityTypes}. */
export type HubActivityType = (typeof hubActivityTypes)[number];

const reserved: ReadonlySet<string> = new Set(hubActivityTypes);

/** Whether only the hub may write rows of a type; case is ignored. */
export function isReservedActivity(type: string): boolean {
  return reserved.has(type.trim().toLowerCase());
}
