import { sessionCookie, sessionDays } from '@birdhub/shared/sessions';
import { fastifyCookie } from '@fastify/cookie';

const maxAgeSeconds = sessionDays * 86_400;
const mostTokens = 4;
const nameAndSign = `${sessionCookie}=`;

/** Where a cookie belongs: the path below which the hub stands for the browser, and whether that is HTTPS. */
export interface CookiePlace {
  readonly prefix: string;
  readonly isHttps: boolean;
}

/** The session tokens of a `Cookie` header; more than one when hubs stand below each other's path. */
export function tokensIn(header: string | undefined): readonly string[] {
  if (header === undefined || !header.includes(nameAndSign)) return [];
  const cookies = header.split(';').map((cookie) => cookie.trim());
  const tokens = cookies.filter((cookie) => cookie.startsWith(nameAndSign));
  return tokens.slice(0, mostTokens).map((cookie) => cookie.slice(nameAndSign.length));
}

function write(value: string, maxAge: number, { prefix, isHttps }: CookiePlace): string {
  const path = prefix || '/';
  return fastifyCookie.serialize(sessionCookie, value, {
    httpOnly: true,
    sameSite: 'strict',
    secure: isHttps,
    path,
    maxAge,
  });
}

/** The `Set-Cookie` that gives a browser its token. */
export function giveCookie(token: string, place: CookiePlace): string {
  return write(token, maxAgeSeconds, place);
}

/** The `Set-Cookie` that takes it away. */
export function takeCookie(place: CookiePlace): string {
  return write('', 0, place);
}
