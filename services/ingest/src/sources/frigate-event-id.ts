const eventId = /^(\d{9,11}(?:\.\d{1,9})?)-[A-Za-z0-9]{1,20}$/;

/** Returns when an event of Frigate began, which its id starts with; undefined for other ids. In ms since the epoch. */
export function startOfFrigateEvent(id: string): number | undefined {
  const [, seconds] = eventId.exec(id) ?? [];
  return seconds === undefined ? undefined : Math.round(Number(seconds) * 1000);
}

/** Whether a text may be the id of an event of Frigate, and so a part of a path. */
export function isFrigateId(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(text) && !text.includes('..');
}
