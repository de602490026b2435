import type { DraftStorage } from '@integrity/shared-ui/session/draft'

/** Words about a candidate are kept for as long as the page is open, and in no storage of the browser. */
export const createPageMemory = (): DraftStorage & { readonly clear: () => void } => {
  const items = new Map<string, string>()
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
    clear: () => items.clear(),
  }
}
