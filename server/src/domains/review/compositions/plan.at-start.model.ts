import type { PlanEvent } from './plan.displays.model.ts'

const object = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

const counted = (n: number, one: string, many: string): string => `${n} ${n === 1 ? one : many}`

/** How people call the interfaces of a computer. */
const networkName = (name: string): string => {
  if (/^(?:en|eth)/i.test(name)) return 'Ethernet'
  return /^(?:wl|wi-?fi)/i.test(name) ? 'Wi-Fi' : name
}

const networksIn = (events: readonly PlanEvent[]): string[] => {
  const values = events.filter(({ kind }) => kind === 'network.changed').flatMap(({ data }) => data['value'] ?? [])
  const names = values.map((value) => object(value)['interface']).filter((name) => typeof name === 'string')
  return [...new Set(names.map(networkName))]
}

const distinct = (events: readonly PlanEvent[], kind: string, keyOf: (value: Record<string, unknown>) => unknown) =>
  new Set(events.filter((event) => event.kind === kind).map(({ data }) => keyOf(object(data['value'])))).size

const devices = [
  ['camera', 'camera', 'cameras'],
  ['microphone', 'microphone', 'microphones'],
] as const

/** What was so when the session began, in a few words; nothing where nothing was told. */
export const startOf = (events: readonly PlanEvent[]): string => {
  const networks = networksIn(events)
  const displays = distinct(events, 'display.added', ({ id }) => id)
  const words = networks.length > 0 ? [`network ${networks.join(' and ')}`] : []
  if (displays > 0) words.push(counted(displays, 'display', 'displays'))
  for (const [kind, one, many] of devices) {
    const ofKind = events.filter(({ data }) => object(data['value'])['kind'] === kind)
    const n = distinct(ofKind, 'device.added', ({ name }) => name)
    if (n > 0) words.push(counted(n, one, many))
  }
  return words.join(', ')
}
