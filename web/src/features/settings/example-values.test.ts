import { describe, expect, it } from 'vitest';
import { listValues, textAt } from './example-values';

const example = {
  bird: { 'common/name': 'Great Tit', '~score': 0.93 },
  list: ['a', null, { b: true }],
  message: '{"inner": {"camera": "garden"}}',
};

describe('listValues', () => {
  it('an example, is its values with their pointers, also inside a text that is JSON', () => {
    expect(listValues(example)).toEqual([
      { pointer: '/bird/common~1name', text: 'Great Tit' },
      { pointer: '/bird/~0score', text: '0.93' },
      { pointer: '/list/0', text: 'a' },
      { pointer: '/list/2/b', text: 'true' },
      { pointer: '/message/inner/camera', text: 'garden' },
    ]);
  });

  it('a picture in base64, is shown shortened', () => {
    expect(listValues({ image: 'x'.repeat(5000) })[0]?.text).toHaveLength(60);
  });

  it('thousands of values, are listed as far as a person can choose', () => {
    expect(listValues(Array.from({ length: 5000 }, (_, at) => at))).toHaveLength(300);
  });
});

describe('textAt', () => {
  it('every listed pointer, leads to its value', () => {
    for (const { pointer, text } of listValues(example)) expect(textAt(example, pointer)).toBe(text);
  });

  it.each(['/none', '/bird/x', '/list/9', 'bird', '/bird/common~1name/x', '/constructor'])(
    '%s, leads nowhere',
    (pointer) => expect(textAt(example, pointer)).toBeUndefined(),
  );
});
