import type { PageCommand } from './messages.ts'

/**
 * One document of the hidden capture page, from its first message to its end. What it says is not trusted: listeners
 * parse it. `bytes` of a message are a Uint8Array.
 */
export interface CapturePage {
  send(command: PageCommand): void
  onMessage(listener: (message: unknown) => void): () => void
  /** Resolves when the document is gone: crashed, reloaded, closed. */
  readonly closed: Promise<void>
}

/** A display as the shell knows it; `id` is what it is called in everything that is recorded of it. */
export interface PageDisplay {
  readonly id: string
  /** Pixels, not points. */
  readonly width: number
  readonly height: number
}

/** What the shell gives the web drivers. */
export interface CapturePages {
  /** The page that lives now; after a crash the next one. Rejects, or takes long, when there is none. */
  current(): Promise<CapturePage>
  /**
   * The displays there are. Absent where only the browser knows them: then one display is recorded, the one that the
   * browser gives.
   */
  displays?(): Promise<readonly PageDisplay[]>
}
