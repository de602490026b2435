import type { CapturePage } from './page-port.ts'

/** The part of Electron's `MessagePortMain` that is used; a page that reloads or crashes closes its port. */
export interface PagePort {
  postMessage(message: unknown): void
  on(event: 'message', listener: (event: { data: unknown }) => void): unknown
  on(event: 'close', listener: () => void): unknown
  off(event: 'message', listener: (event: { data: unknown }) => void): unknown
  start(): void
}

/** A capture page at the other end of a message port, whose messages are structured clones. */
export const portPage = (port: PagePort): CapturePage => {
  const closed = new Promise<void>((resolve) => void port.on('close', resolve))
  return {
    closed,
    send: (command) => port.postMessage(command),
    onMessage: (listener) => {
      const heard = (event: { data: unknown }): void => listener(event.data)
      port.on('message', heard)
      // What came before anyone listened is delivered now.
      port.start()
      return () => void port.off('message', heard)
    },
  }
}
