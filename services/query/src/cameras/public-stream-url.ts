/** Programs that play streams forgive blanks around an address and slashes that lean the other way. */
const scheme = /^\s*[a-z][a-z0-9+.-]*\s*:\s*[\\/][\\/\s]*/i;
const secretParameter = /([?&;][^=&;#]*(?:pass|pwd|token|secret|key|auth)[^=&;#]*=)[^&;#]*/gi;
/** Characters that no program shows or sends: controls, marks of direction and of width zero. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A password with a slash ends the authority too early, which shows in what would be the port. */
const portIsNone = /:(?!\d*$)[^\]]*$/;
/** A password may begin with digits; a name without a dot that has such a port may as well be a user. */
const mayBeUser = /^[^.:[\]]+:\d*$/;

function withoutUser(url: string): string {
  const [start = ''] = scheme.exec(url) ?? [];
  const rest = url.slice(start.length);
  const authority = rest.split(/[\\/?#]/, 1)[0] ?? '';
  const isCutShort = !authority.includes('@') && (portIsNone.test(authority) || mayBeUser.test(authority));
  const end = isCutShort ? rest.lastIndexOf('@') : authority.lastIndexOf('@');
  return start.replace(/\s/g, '') + rest.slice(end + 1);
}

/** A stream's address as viewers may see it: user and password left out, secret parameters masked. */
export function publicStreamUrl(url: string): string {
  return withoutUser(url.replace(unseen, '').trim()).replace(secretParameter, '$1***');
}
