/** Where the review of unknown birds is: the timeline with `review=1`, once, before the caller's own parameters. */
export function reviewTarget(url: string, prefix: string): string {
  const query = url.split('?').slice(1).join('?');
  const others = query.split('&').filter((pair) => pair && !new URLSearchParams(pair).has('review'));
  return `${prefix}/timeline?${['review=1', ...others].join('&')}`;
}
