/** So many events: as fast as they are taken, or one every `everyMs`. */
export interface PublishOrder {
  readonly count: number
  readonly everyMs: number
}

/** Publishes 20 at a time without a pace; with one, never waits for the one before. */
export const publishPaced = async ({ count, everyMs }: PublishOrder, publish: () => Promise<void>): Promise<void> => {
  if (everyMs === 0) {
    for (let left = count; left > 0; left -= 20) await Promise.all(Array.from({ length: Math.min(20, left) }, publish))
    return
  }
  const begun = performance.now()
  for (let n = 0; n < count; n++) {
    const wait = begun + n * everyMs - performance.now()
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
    void publish()
  }
}
