import { createServerTime } from '@integrity/protocol/clients/server-time'
import { brandProperty } from '@integrity/protocol/clients/tokens'
import { createCompanionApi } from '../session/companion-api.ts'
import { encodeBase64 } from './base64.web.ts'
import { createWebCamera } from './camera.web.ts'
import { createWebDevice, createWebMotion } from './device.web.ts'
import type { Platform } from './platform.types.ts'
import { openIndexedQueue } from './queue.idb.ts'
import { systemTime } from './system-time.ts'

const sha256 = async (bytes: ArrayBuffer): Promise<string> =>
  [...new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')

/** The page is at `…/companion/`, the service one step above it, also behind a proxy with a path prefix. */
const service = (): string => location.origin + location.pathname.replace(/\/companion\/?.*$/, '')

/** The code never reaches a server's log or the browser's history: it is taken out of the address at once. */
const takeLink = (): string | undefined => {
  if (location.hash.length < 2) return undefined
  const link = location.href
  history.replaceState(null, '', location.pathname + location.search)
  return link
}

export const openPlatform = (): Platform => {
  const serverTime = createServerTime()
  return {
    service,
    languageTag: navigator.language,
    takeLink,
    showLanguage({ code, direction, texts }) {
      document.documentElement.lang = code
      document.documentElement.dir = direction
      document.title = texts.productName
    },
    showColours(colours) {
      const { style } = document.documentElement
      style.colorScheme = colours?.alwaysDark ? 'dark' : ''
      for (const scheme of ['light', 'dark'] as const)
        for (const name of ['accent', 'ground'])
          style.setProperty(brandProperty(scheme, name), colours?.[scheme][name] ?? '')
    },
    ports: {
      api: createCompanionApi({
        baseUrl: service,
        fetch: (url, init) => fetch(url, init),
        sha256,
        base64: encodeBase64,
        onDate: serverTime.observe,
      }),
      serverTime,
      time: systemTime,
      camera: createWebCamera(navigator.mediaDevices),
      motion: createWebMotion(),
      device: createWebDevice(),
      learnService: () => {},
      openQueue: () => openIndexedQueue(),
      language: () => document.documentElement.lang || navigator.language,
    },
  }
}
