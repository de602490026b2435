import type { ServiceFile } from '../session/service-file.ts'

/** Long enough for a browser that asks first where to put it. */
const patienceMs = 60_000

/** Hands a file to the browser, which puts it where its downloads go. */
export const saveFile = ({ name, blob }: ServiceFile): void => {
  const href = URL.createObjectURL(blob)
  const link = Object.assign(document.createElement('a'), { href, download: name })
  link.click()
  setTimeout(() => URL.revokeObjectURL(href), patienceMs)
}
