import { randomInt } from 'node:crypto'

/**
 * An address of this computer for one server of one test, where the system has more than 127.0.0.1. Ports go to whoever asks
 * next: there, a process that still looks for a server which has ended would find this one, and be counted.
 */
export const loopbackAddress = (): string =>
  process.platform === 'linux' ? `127.${[1, 2, 3].map(() => randomInt(1, 255)).join('.')}` : '127.0.0.1'
