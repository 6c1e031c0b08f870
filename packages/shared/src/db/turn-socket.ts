import { Socket } from 'node:net';

function writeInTurns(socket: Socket): void {
  let isHeld = false;
  function release(): void {
    isHeld = false;
    socket.uncork();
  }
  socket.write = new Proxy(socket.write, {
    apply(write, self, args) {
      if (!isHeld) {
        isHeld = true;
        socket.cork();
        process.nextTick(release);
      }
      return Reflect.apply(write, self, args);
    },
  });
}

/**
 * A socket that sends what is written to it in one turn of the event loop together. With pipelining several
 * statements leave in a turn, and each would be a system call here and a wake-up of the server.
 */
export function createTurnSocket(): Socket {
  const socket = new Socket();
  // Not before: connecting gives a socket its own way to write back.
  socket.once('connect', () => writeInTurns(socket));
  return socket;
}
