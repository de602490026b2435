import { useLayoutEffect, useState } from 'react'
import { holdUrl, releaseUrl } from '../browser/kept-urls.ts'
import type { KeptItem } from '../player/item-store.ts'

/** An address of the page's own for what was checked; undefined where there are no bytes. */
export const useObjectUrl = (kept: KeptItem | undefined): string | undefined => {
  const [url, setUrl] = useState<string>()
  useLayoutEffect(() => {
    if (!kept || kept.bytes.length === 0) {
      setUrl(undefined)
      return undefined
    }
    setUrl(holdUrl(kept))
    return () => releaseUrl(kept)
  }, [kept])
  return url
}
