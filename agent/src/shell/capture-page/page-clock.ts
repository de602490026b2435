/** Epoch ms of the page's clock, which never goes back. */
export const pageNow = (): number => performance.timeOrigin + performance.now()
