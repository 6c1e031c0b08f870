const scheme = /^[a-z][a-z0-9+.-]*:\/\//i;
const secretParameter = /([?&;][^=&;#]*(?:pass|pwd|token|secret|key|auth)[^=&;#]*=)[^&;#]*/gi;

/** A password with a slash ends the authority too early, which shows in what would be the port. */
const portIsNone = /:(?!\d*$)[^\]]*$/;

function withoutUser(url: string): string {
  const [start = ''] = scheme.exec(url) ?? [];
  const rest = url.slice(start.length);
  const authority = rest.split(/[/?#]/, 1)[0] ?? '';
  const isCutShort = !authority.includes('@') && portIsNone.test(authority);
  const end = isCutShort ? rest.lastIndexOf('@') : authority.lastIndexOf('@');
  return start + rest.slice(end + 1);
}

/** A stream's address as viewers may see it: user and password left out, secret parameters masked. */
export function publicStreamUrl(url: string): string {
  return withoutUser(url).replace(secretParameter, '$1***');
}
