import { stayAwake } from '@integrity/protocol/clients/wake-lock'
import type { DevicePort, DeviceReading, MotionPort } from '../session/session.ports.ts'

/** Battery Status API (W3C); in Chrome, not in Safari or Firefox. */
interface Battery {
  readonly level: number
  readonly charging: boolean
}
interface MoreNavigator {
  getBattery?: () => Promise<Battery>
  readonly connection?: { readonly type?: string; readonly effectiveType?: string }
}

const more = navigator as Navigator & MoreNavigator

const network = (): string => {
  if (!navigator.onLine) return 'none'
  return (more.connection?.type ?? more.connection?.effectiveType ?? 'unknown').slice(0, 20)
}

const read = async (): Promise<DeviceReading> => {
  const battery = await more.getBattery?.().catch(() => undefined)
  return {
    battery: battery?.level ?? null,
    charging: battery?.charging ?? null,
    network: network(),
    orientation: (screen.orientation?.type ?? '').split('-')[0] || null,
    foreground: document.visibilityState === 'visible',
  }
}

/** The tab that was opened last is the one (Web Locks API, W3C); where there are no locks, every tab is. */
const takeOver = (onTaken: () => void): Promise<void> =>
  new Promise((resolve) => {
    if (!('locks' in navigator)) return resolve()
    const held = () => {
      resolve()
      return new Promise<never>(() => {})
    }
    navigator.locks.request('companion', { steal: true }, held).catch(onTaken)
  })

export const createWebDevice = (): DevicePort => ({
  facts: { platform: 'web', timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone },
  takeOver,
  read,
  onForeground(listener) {
    document.addEventListener('visibilitychange', listener)
    return () => document.removeEventListener('visibilitychange', listener)
  },
  onOnline(listener) {
    window.addEventListener('online', listener)
    return () => window.removeEventListener('online', listener)
  },
  stayAwake,
  newId: () => crypto.randomUUID(),
})

/** iOS asks the person, and only after a touch. */
type Asking = typeof DeviceMotionEvent & { requestPermission?: () => Promise<string> }

export const createWebMotion = (): MotionPort => ({
  start(onSample) {
    if (!('DeviceMotionEvent' in globalThis)) return () => {}
    const take = ({ accelerationIncludingGravity: a }: DeviceMotionEvent) => {
      if (a?.x != null && a.y != null && a.z != null) onSample({ x: a.x, y: a.y, z: a.z })
    }
    // Refused, it gives no samples, and the person is asked to look.
    void (DeviceMotionEvent as Asking).requestPermission?.().catch(() => undefined)
    window.addEventListener('devicemotion', take)
    return () => window.removeEventListener('devicemotion', take)
  },
})
