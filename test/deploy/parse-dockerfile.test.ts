import { describe, expect, it } from 'vitest';
import { parseCopy, parseDockerfile } from './parse-dockerfile.js';

const text = `# syntax=docker/dockerfile:1
ARG BASE=node:1-slim
ARG PART
FROM \${BASE} AS first
WORKDIR /app
# why
RUN one \\
  && two

FROM first
COPY --from=first /app/\${PART} there/
`;

describe('parseDockerfile', () => {
  it('stages, have their names, what they are from, and their steps', () => {
    expect(parseDockerfile(text, { PART: 'query' })).toEqual([
      {
        name: 'first',
        from: 'node:1-slim',
        steps: [
          { name: 'WORKDIR', text: '/app' },
          { name: 'RUN', text: 'one && two' },
        ],
      },
      { name: '1', from: 'first', steps: [{ name: 'COPY', text: '--from=first /app/query there/' }] },
    ]);
  });

  it('an argument that is given, wins over its default', () => {
    expect(parseDockerfile(text, { BASE: 'other' })[0]?.from).toBe('other');
  });
});

describe('parseCopy', () => {
  it('several files of the context, go to one folder', () => {
    expect(parseCopy('a b/c.json ./')).toEqual({ from: undefined, sources: ['a', 'b/c.json'], target: './' });
  });

  it('a stage, is where it says', () => {
    expect(parseCopy('--from=build /app/dist dist')).toEqual({
      from: 'build',
      sources: ['/app/dist'],
      target: 'dist',
    });
  });
});
