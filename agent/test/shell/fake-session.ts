import { EventEmitter } from 'node:events'

/** Electron's session: it keeps the handlers that it was given, for a test to ask. */
export class FakeSession extends EventEmitter {
  readonly partition: string
  readonly options: { cache?: boolean }
  permissionRequest: ((...args: unknown[]) => void) | undefined
  permissionCheck: ((...args: unknown[]) => boolean) | undefined
  devicePermission: (() => boolean) | undefined
  displayMedia: ((request: object, callback: (streams: unknown) => void) => void) | undefined
  displayMediaOptions: { useSystemPicker?: boolean } | undefined
  beforeRequest: ((details: { url: string }, callback: (answer: { cancel: boolean }) => void) => void) | undefined
  pages: ((request: Request) => Promise<Response>) | undefined
  spellChecker = true
  readonly protocol = {
    handle: (_scheme: string, handler: (request: Request) => Promise<Response>): void => {
      this.pages = handler
    },
  }
  readonly webRequest = {
    onBeforeRequest: (handler: NonNullable<FakeSession['beforeRequest']>): void => {
      this.beforeRequest = handler
    },
  }
  constructor(partition: string, options: { cache?: boolean }) {
    super()
    this.partition = partition
    this.options = options
  }
  setSpellCheckerEnabled(enabled: boolean): void {
    this.spellChecker = enabled
  }
  setDevicePermissionHandler(handler: () => boolean): void {
    this.devicePermission = handler
  }
  setBluetoothPairingHandler(): void {}
  setPermissionRequestHandler(handler: (...args: unknown[]) => void): void {
    this.permissionRequest = handler
  }
  setPermissionCheckHandler(handler: (...args: unknown[]) => boolean): void {
    this.permissionCheck = handler
  }
  setDisplayMediaRequestHandler(
    handler: NonNullable<FakeSession['displayMedia']>,
    options: { useSystemPicker?: boolean },
  ): void {
    this.displayMedia = handler
    this.displayMediaOptions = options
  }
}
