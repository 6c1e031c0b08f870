import { WelcomeCard } from '../welcome/welcome-card';

/** Shown while nothing is connected that birds could come from. */
export function EmptyHub() {
  return <WelcomeCard />;
}
