import { useLocalStorage } from '@mantine/hooks';

const storageKey = 'birdhub.other-animals';

/** Returns whether this browser hides animals that are no birds, and a function to change that. */
export function useHiddenAnimals(): readonly [boolean, (areHidden: boolean) => void] {
  const [choice, choose] = useLocalStorage<'shown' | 'hidden'>({
    key: storageKey,
    defaultValue: 'shown',
    getInitialValueInEffect: false,
  });
  return [choice === 'hidden', (areHidden) => choose(areHidden ? 'hidden' : 'shown')];
}
