import { type BrandPreview, previewedPlaces } from '@integrity/shared-ui/session/brand-preview'
import { useEffect, useState } from 'react'

const isPreview = (data: unknown): data is BrandPreview =>
  typeof data === 'object' &&
  data !== null &&
  'kind' in data &&
  data.kind === 'brand-preview' &&
  'place' in data &&
  previewedPlaces.some((place) => place === data.place)

/** What the page around this frame says last; of this service alone. */
export const useShown = (): BrandPreview | undefined => {
  const [shown, setShown] = useState<BrandPreview>()
  useEffect(() => {
    const take = ({ origin, source, data }: MessageEvent<unknown>) => {
      if (origin === location.origin && source === parent && isPreview(data)) setShown(data)
    }
    addEventListener('message', take)
    parent.postMessage({ kind: 'brand-preview-ready' }, location.origin)
    return () => removeEventListener('message', take)
  }, [])
  return shown
}
