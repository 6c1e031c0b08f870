import { describe, expect, it } from 'vitest';
import { checkTemplate, fillTemplate } from './message-template.js';

describe('a template', () => {
  it('with an unknown placeholder, is refused naming the field', () => {
    expect(() => checkTemplate('{species} {bird}', '/rule/template')).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        details: [
          expect.objectContaining({ path: '/rule/template', message: expect.stringContaining('{bird}') }),
        ],
      }),
    );
  });
  it('with placeholders in values, does not fill these, and has its first line as title', () => {
    const filled = fillTemplate('{species}!\n{time}\n{camera}', {
      species: '{time}',
      time: '14:05',
      camera: '<b>',
    });
    expect(filled).toEqual({ title: '{time}!', body: '14:05\n<b>' });
  });
  it('with other braces, keeps them', () => {
    expect(fillTemplate('a { b', {})).toEqual({ title: 'a { b', body: '' });
  });
});
