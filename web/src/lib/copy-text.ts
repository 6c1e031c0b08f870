/** Copies a text, from its field if the page is not served over HTTPS. Returns whether it was copied. */
export async function copyText(text: string, field: HTMLInputElement | null): Promise<boolean> {
  const writing = navigator.clipboard?.writeText(text).then(
    () => true,
    () => false,
  );
  if (await writing) return true;
  field?.select();
  // The only way on plain HTTP, which is usual for hubs at home.
  return document.execCommand?.('copy') === true;
}
