import type { PictureLook } from '../../core/capture/types.ts'

/** Hands the pictures that the camera's lane looks at to whoever follows; nothing of them is kept here. */
export interface PictureLooks {
  tell(look: PictureLook): void
  /** Gives the way to end it. */
  follow(listener: (look: PictureLook) => void): () => void
}

export const createPictureLooks = (): PictureLooks => {
  const listeners = new Set<(look: PictureLook) => void>()
  return {
    tell: (look) => {
      for (const listener of listeners) listener(look)
    },
    follow: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
