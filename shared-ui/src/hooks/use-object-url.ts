import { useLayoutEffect, useState } from 'react'
import type { KeptItem } from '../player/item-store.ts'

/** An address of the page's own for what was checked; undefined where there are no bytes. */
export const useObjectUrl = (kept: KeptItem | undefined): string | undefined => {
  const [url, setUrl] = useState<string>()
  useLayoutEffect(() => {
    if (!kept || kept.bytes.length === 0) {
      setUrl(undefined)
      return undefined
    }
    const made = URL.createObjectURL(new Blob([kept.bytes], { type: kept.contentType }))
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [kept])
  return url
}
