const patienceMs = 2_000;

/** A request may not carry user and password in its address; they go into the header that they stand for. */
export function toRequest(address: string): { url: string; headers: Record<string, string> } {
  const url = new URL(address);
  const { username, password } = url;
  if (!username && !password) return { url: url.href, headers: {} };
  url.username = '';
  url.password = '';
  const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
  return { url: url.href, headers: { authorization: `Basic ${credentials.toString('base64')}` } };
}

/** Whether a device answers HTTP within two seconds; that it wants a password, or moved the page, is an answer too. */
export async function reachDevice(address: string): Promise<boolean> {
  try {
    const { url, headers } = toRequest(address);
    const signal = AbortSignal.timeout(patienceMs);
    const answer = await fetch(url, { headers, signal, redirect: 'manual' });
    await answer.body?.cancel();
    return answer.status < 500;
  } catch {
    // Not reached, whatever the reason.
    return false;
  }
}
