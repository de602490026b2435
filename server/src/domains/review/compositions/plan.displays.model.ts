import { type EvidenceSource, sessionBounds } from '@integrity/protocol'
import type { SourceAccount } from '../reports/account.types.ts'
import { filmAccount } from './plan.account.model.ts'
import { type Laid, layersOf, type PlanInput } from './plan.tracks.model.ts'

/** An integrity event, as far as the film asks. */
export interface PlanEvent {
  readonly kind: string
  /** Epoch milliseconds. */
  readonly observedAt: number
  readonly data: Readonly<Record<string, unknown>>
}

interface DisplayWords {
  readonly id: string
  readonly name: string
  readonly isPrimary: boolean
}

const inOrder = new Intl.Collator('en', { numeric: true }).compare
const word = (value: unknown): string => (typeof value === 'string' ? value : '')

/** What the observers of an agent tell of a display. */
const displayIn = ({ kind, data }: PlanEvent): DisplayWords | undefined => {
  if (!kind.startsWith('display.')) return undefined
  const value = data['value']
  if (typeof value !== 'object' || value === null) return undefined
  const { id, name, primary } = value as Record<string, unknown>
  return { id: word(id), name: word(name), isPrimary: primary === true }
}

/** The displays that the film has something of: the primary one first, the others as people count. */
const displaysInOrder = (sources: readonly EvidenceSource[], events: readonly PlanEvent[]): EvidenceSource[] => {
  const told = events
    .toSorted((a, b) => a.observedAt - b.observedAt)
    .map(displayIn)
    .filter((one) => one !== undefined)
  const primary = told.find(({ id, isPrimary }) => isPrimary && sources.includes(sourceOf(id)))
  const first = primary && sourceOf(primary.id)
  return sources.toSorted((a, b) => Number(b === first) - Number(a === first) || inOrder(a, b))
}

const sourceOf = (displayId: string): EvidenceSource => `screen:${displayId}`

const labelOf = (source: string, events: readonly PlanEvent[]): string => {
  const id = source.split(':').slice(1).join(':')
  const name = events.map(displayIn).find((one) => one?.id === id && one.name !== '')?.name
  if (id === '') return 'A display without a name'
  return name && name !== id ? `Display ${id}, ${name}` : `Display ${id}`
}

export interface LabelledLayer extends Laid {
  readonly label?: string
}

interface ScreenLayersInput {
  readonly accounts: ReadonlyMap<string, SourceAccount>
  readonly events: readonly PlanEvent[]
  readonly startsAt: number
  readonly durationMs: number
}

/**
 * One place for several displays: the main one, and another only while the ones before it have no picture. Where there are
 * several, each has its name in the picture.
 */
export const screenLayers = (
  inputs: readonly PlanInput[],
  { accounts, events, ...film }: ScreenLayersInput,
): LabelledLayer[] => {
  const bySource = Map.groupBy(inputs, ({ source }) => source)
  // Beyond the bound nothing multiplies the work.
  const sources = displaysInOrder([...bySource.keys()], events).slice(0, sessionBounds.displays)
  return sources.toReversed().flatMap((source) => {
    const own = bySource.get(source) ?? []
    const account = accounts.get(source) ?? accounts.get('screen')
    const clips = own.filter(({ evidenceType }) => evidenceType === 'screen_clip')
    const stills = own.filter(({ evidenceType }) => evidenceType === 'screenshot')
    const layers = layersOf(clips, stills, filmAccount(account, film).times)
    if (sources.length < 2) return layers
    const label = labelOf(source, events)
    return layers.map((layer) => ({ ...layer, label }))
  })
}
