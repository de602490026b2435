import type { Words } from '../hooks/use-texts.tsx'

/** How long ago the service was reached. Seconds matter once there are some. */
export const agoText = (t: Words['t'], contact: number | undefined, now: number): string => {
  if (contact === undefined) return t('lastContactNone')
  const n = Math.round((now - contact) / 1000)
  return n < 5 ? t('lastContactNow') : t('secondsAgo', { n })
}
