import Storage from 'expo-sqlite/kv-store'
import { createCompanionApi } from '../session/companion-api.ts'
import { createServerTime } from '../session/server-time.ts'
import { openExpoDatabase } from './expo-database.ts'
import { createNativeCamera } from './native-camera.ts'
import { createNativeDevice, createNativeMotion } from './native-device.ts'
import type { Platform } from './platform.types.ts'
import { openSqlQueue } from './queue.sql.ts'
import { sha256 } from './sha256.ts'

/** The service that a scanned link named last; before any, the one the app was built for. */
const serviceKey = 'service'
const builtFor = process.env['EXPO_PUBLIC_SERVICE_URL'] ?? ''

/** The platform of a phone. */
export const openPlatform = (): Platform => {
  const serverTime = createServerTime()
  return {
    languageTag: Intl.DateTimeFormat().resolvedOptions().locale,
    takeLink: () => undefined,
    showLanguage: () => {},
    ports: {
      api: createCompanionApi({
        baseUrl: () => Storage.getItemSync(serviceKey) ?? builtFor,
        fetch: (url, init) => fetch(url, init),
        sha256: async (bytes) => sha256(bytes),
        onDate: (date, askedAt, cameAt) => serverTime.observe(date, askedAt, cameAt),
      }),
      serverTime,
      time: {
        after(ms, action) {
          const timer = setTimeout(action, ms)
          return () => clearTimeout(timer)
        },
        random: Math.random,
      },
      camera: createNativeCamera(),
      motion: createNativeMotion(),
      device: createNativeDevice(),
      learnService: (baseUrl) => Storage.setItemSync(serviceKey, baseUrl),
      openQueue: async () => openSqlQueue(await openExpoDatabase()),
    },
  }
}
