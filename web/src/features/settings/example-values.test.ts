import { describe, expect, it } from 'vitest';
import { listValues, textAt } from './example-values';

const example = {
  bird: { 'common/name': 'Great Tit', '~score': 0.93 },
  list: ['a', null, { b: true }],
  message: '{"inner": {"camera": "garden"}}',
};

describe('listValues', () => {
  it('an example, gives its values with pointers, including those in embedded JSON', () => {
    expect(listValues(example)).toEqual([
      { pointer: '/bird/common~1name', text: 'Great Tit' },
      { pointer: '/bird/~0score', text: '0.93' },
      { pointer: '/list/0', text: 'a' },
      { pointer: '/list/2/b', text: 'true' },
      { pointer: '/message/inner/camera', text: 'garden' },
    ]);
  });

  it('a picture in base64, is shortened', () => {
    expect(listValues({ image: 'x'.repeat(5000) })[0]?.text).toHaveLength(60);
  });

  it('thousands of values, are limited to 300', () => {
    expect(listValues(Array.from({ length: 5000 }, (_, at) => at))).toHaveLength(300);
  });
});

describe('textAt', () => {
  it('a listed pointer, returns its value', () => {
    for (const { pointer, text } of listValues(example)) expect(textAt(example, pointer)).toBe(text);
  });

  it.each(['/none', '/bird/x', '/list/9', 'bird', '/bird/common~1name/x', '/constructor'])(
    'the pointer %s, returns undefined',
    (pointer) => expect(textAt(example, pointer)).toBeUndefined(),
  );
});
