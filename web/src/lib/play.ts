/** Starts to play; calls `onRefused` when the browser or the file does not allow it, not when a pause interrupts it. */
export async function playOr(element: Pick<HTMLMediaElement, 'play'>, onRefused: () => void): Promise<void> {
  try {
    await element.play();
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'AbortError')) onRefused();
  }
}
