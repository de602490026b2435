import { createServerTime } from '@integrity/protocol/clients/server-time'
import type { TimePort } from '../session/time-port.ts'
import type { PagePort } from '../session/visit.ts'

/** What the pages behind e-mailed links use of this browser. */
export interface LinkPagePorts {
  /** Where the service lives, without a slash at its end. */
  readonly baseUrl: string
  /** By the service's clock; the timers are those of a page, which a hidden one need not keep. */
  readonly time: TimePort
  readonly page: PagePort
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  readonly onDate: (date: string, askedAt: number, cameAt: number) => void
}

const page: PagePort = {
  visible: () => document.visibilityState === 'visible',
  onReturn(listener) {
    const returned = () => {
      if (document.visibilityState === 'visible') listener()
    }
    document.addEventListener('visibilitychange', returned)
    addEventListener('online', returned)
    return () => {
      document.removeEventListener('visibilitychange', returned)
      removeEventListener('online', returned)
    }
  },
}

/** The page is at …/invitation/ or …/requests/, the service beside it, whatever path prefix a proxy gives both. */
const besidePage = (): string => new URL('../', location.href).href

/** `service`: the address of the service, where it is not the folder above that of the page. */
export const createLinkPagePorts = (service = besidePage()): LinkPagePorts => {
  const clock = createServerTime()
  return {
    baseUrl: service.replace(/\/$/, ''),
    page,
    time: {
      now: clock.now,
      random: Math.random,
      after: (ms, callback) => {
        const timer = setTimeout(callback, ms)
        return () => clearTimeout(timer)
      },
    },
    fetch: (url, init) => fetch(url, init),
    onDate: clock.observe,
  }
}

/** `crypto.randomUUID` is there on https and localhost only. */
export const newRandomId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
