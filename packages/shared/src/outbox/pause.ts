/** A pause that can be ended early. */
export interface Pause {
  wait(ms: number): Promise<void>;
  end(): void;
}

export function createPause(): Pause {
  let endPause = () => {};
  return {
    end: () => endPause(),
    wait(ms) {
      return new Promise((resolve) => {
        const timer = setTimeout(resolve, ms);
        endPause = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    },
  };
}
