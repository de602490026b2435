import { type BrandPreview, previewedPlaces } from '@integrity/shared-ui/session/brand-preview'

/** What the page around this frame says last; undefined before it has said anything. */
export interface ShownBrand {
  readonly now: () => BrandPreview | undefined
  readonly subscribe: (listener: () => void) => () => void
}

const isPreview = (data: unknown): data is BrandPreview =>
  typeof data === 'object' &&
  data !== null &&
  'kind' in data &&
  data.kind === 'brand-preview' &&
  'place' in data &&
  previewedPlaces.some((place) => place === data.place)

/** Listens at once, as the page around speaks when this one has loaded; to pages of this service alone. */
export const openShownBrand = (): ShownBrand => {
  const listeners = new Set<() => void>()
  let shown: BrandPreview | undefined
  addEventListener('message', ({ origin, source, data }: MessageEvent<unknown>) => {
    if (origin !== location.origin || source !== parent || !isPreview(data)) return
    shown = data
    for (const listener of listeners) listener()
  })
  return {
    now: () => shown,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
