import type { Config } from '../kernel/config.ts'
import { askAddress } from '../platform/ask-address.ts'
import { isOwnMachine } from './doctor.address.check.ts'
import type { Finding } from './doctor.finding.ts'

const subject = 'proxy trust'
const todo =
  'set TRUSTED_PROXIES to the address of the proxy as this machine sees it (127.0.0.1 where it is on this machine)'

/** Requests that came with X-Forwarded-For so far: from a proxy that is trusted, from anybody else. */
export interface Forwarded {
  readonly trusted: number
  readonly unknown: number
}

const countsOf = (text: string): Forwarded | undefined => {
  const count = (proxy: string) =>
    Number(new RegExp(`^forwarded_requests_total\\{proxy="${proxy}"\\} (\\d+)`, 'm').exec(text)?.[1] ?? Number.NaN)
  const found = { trusted: count('trusted'), unknown: count('unknown') }
  return Number.isNaN(found.trusted + found.unknown) ? undefined : found
}

const mostText = 8 * 1024 * 1024

const readCounts = ({ metricsHost, metricsPort }: Config): Promise<Forwarded | undefined> => {
  const here = { '0.0.0.0': '127.0.0.1', '::': '::1' }[metricsHost] ?? metricsHost
  const host = here.includes(':') ? `[${here}]` : here
  return askAddress(`http://${host}:${metricsPort}/metrics`, { most: mostText }).then(
    ({ text }) => countsOf(text),
    () => undefined,
  )
}

const everybody = /^(0\.0\.0\.0|::)\/0$/

/** What is wrong whatever is asked. */
const fromSettings = ({ trustedProxies, baseUrl }: Config): Finding | undefined => {
  if (trustedProxies.some((network) => everybody.test(network)))
    return {
      subject,
      state: 'mend',
      reason: 'TRUSTED_PROXIES names everybody, so that each caller chooses their own address',
      todo,
    }
  if (trustedProxies.length === 0 && baseUrl.startsWith('https:'))
    return {
      subject,
      state: 'mend',
      reason: 'BASE_URL is https, so there is a proxy, and TRUSTED_PROXIES is empty: all callers share its ceilings',
      todo,
    }
  return undefined
}

/** What two looks at the counts say of the request between them. */
export const proxyFinding = (config: Config, before: Forwarded | undefined, after: Forwarded | undefined): Finding => {
  const wrong = fromSettings(config)
  if (wrong) return wrong
  const named = config.trustedProxies.join(', ')
  if (before && after && after.unknown > before.unknown && after.trusted === before.trusted)
    return {
      subject,
      state: 'mend',
      reason: `the proxy in front is not among TRUSTED_PROXIES (${named || 'empty'}): all callers share its ceilings`,
      todo,
    }
  if (before && after && after.trusted > before.trusted)
    return { subject, state: 'ok', reason: `the proxy in front is among TRUSTED_PROXIES (${named})` }
  if (config.trustedProxies.length === 0)
    return { subject, state: 'ok', reason: 'no proxy is trusted, and none was met' }
  if (before && after && !isOwnMachine(config.baseUrl))
    return {
      subject,
      state: 'note',
      reason: `no request came to this process with X-Forwarded-For (trusted: ${named})`,
      todo: 'with one process: let the proxy write X-Forwarded-For; with several: another one was asked, try again',
    }
  return {
    subject,
    state: 'note',
    reason: `${named}; whether the proxy is one of them could not be seen`,
    todo: 'see that METRICS_PORT of this machine answers',
  }
}

/** Sends one request through the address that people type and looks how the service saw it come. */
export const checkProxy = async (config: Config): Promise<Finding> => {
  const before = await readCounts(config)
  await askAddress(`${config.baseUrl}/v1/health`).catch(() => undefined)
  return proxyFinding(config, before, before && (await readCounts(config)))
}
