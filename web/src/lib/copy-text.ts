/** Copies a text; by its field where the page is not served by HTTPS. Returns whether it was copied. */
export async function copyText(text: string, field: HTMLInputElement | null): Promise<boolean> {
  const writing = navigator.clipboard?.writeText(text).then(
    () => true,
    () => false,
  );
  if (await writing) return true;
  field?.select();
  // Browsers offer nothing else to pages of plain HTTP, which hubs at home are.
  return document.execCommand?.('copy') === true;
}
