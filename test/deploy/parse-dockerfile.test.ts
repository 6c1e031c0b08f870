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
  it('for each stage, returns its name, its base and its steps', () => {
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

  it('with an argument given, overrides its default', () => {
    expect(parseDockerfile(text, { BASE: 'other' })[0]?.from).toBe('other');
  });
});

describe('parseCopy', () => {
  it('with several files of the context, returns them with their folder', () => {
    expect(parseCopy('a b/c.json ./')).toEqual({ from: undefined, sources: ['a', 'b/c.json'], target: './' });
  });

  it('with a stage, returns it as the source', () => {
    expect(parseCopy('--from=build /app/dist dist')).toEqual({
      from: 'build',
      sources: ['/app/dist'],
      target: 'dist',
    });
  });
});
