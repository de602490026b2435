import { createServerTime } from '@integrity/protocol/clients/server-time'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import Storage from 'expo-sqlite/kv-store'
import { createCompanionApi } from '../session/companion-api.ts'
import { encodeBase64 } from './base64.ts'
import { openExpoDatabase } from './expo-database.ts'
import { createNativeCamera } from './native-camera.ts'
import { createNativeDevice, createNativeMotion } from './native-device.ts'
import type { Platform } from './platform.types.ts'
import { openSqlQueue } from './queue.sql.ts'
import { systemTime } from './system-time.ts'

/** The service that a scanned link named last; before any, the one the app was built for. */
const serviceKey = 'service'
const builtFor = process.env['EXPO_PUBLIC_SERVICE_URL'] ?? ''
const service = (): string => Storage.getItemSync(serviceKey) ?? builtFor

/** The platform of a phone. */
export const openPlatform = (): Platform => {
  const serverTime = createServerTime()
  const languageTag = Intl.DateTimeFormat().resolvedOptions().locale
  let shown = languageTag
  return {
    service,
    languageTag,
    takeLink: () => undefined,
    showLanguage({ code }) {
      shown = code
    },
    showColours: () => {},
    ports: {
      api: createCompanionApi({
        baseUrl: service,
        fetch: (url, init) => fetch(url, init),
        // The engine has no Web Crypto.
        sha256: async (bytes) => bytesToHex(sha256(new Uint8Array(bytes))),
        base64: encodeBase64,
        onDate: serverTime.observe,
      }),
      serverTime,
      time: systemTime,
      camera: createNativeCamera(),
      motion: createNativeMotion(),
      device: createNativeDevice(),
      learnService: (baseUrl) => Storage.setItemSync(serviceKey, baseUrl),
      openQueue: async () => openSqlQueue(await openExpoDatabase()),
      language: () => shown,
    },
  }
}
