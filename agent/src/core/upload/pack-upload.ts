import type { CallOptions } from '@integrity/client/calls'
import type { PackAnswer } from '@integrity/client/endpoint-types'
import type { Client } from '@integrity/client/every-endpoint'
import { frameOf, packBody } from '@integrity/client/pack-frames'
import type { ItemHeader } from '../spool/types.ts'
import { packHead } from './item-words.ts'

/** Items with their bytes on their way to the server, in one request. */
export interface PackUpload {
  readonly client: Client
  readonly sessionId: string
  readonly items: readonly { readonly header: ItemHeader; readonly bytes: Buffer }[]
  /** How long to wait for the answer, and what stops it. */
  readonly how: Pick<CallOptions, 'signal' | 'timeoutMs'>
  /** Called around the request, to measure the network. */
  readonly measured: <T>(bytes: number, request: Promise<T>) => Promise<T>
}

export type PackOutcome = PackAnswer['items'][number]

/**
 * What became of each item, in their order. Throws `IntegrityError` where the pack was refused or not answered as a whole, and
 * `Error` where the answer is not about these items: nothing of them may be deleted then.
 */
export const uploadPack = async (upload: PackUpload): Promise<readonly PackOutcome[]> => {
  const { client, sessionId, items, how, measured } = upload
  const raw = packBody(items.map(({ header, bytes }) => frameOf(packHead(header), bytes)))
  const request = client.call('agent.packs.upload', { params: { id: sessionId }, raw, ...how })
  const { data } = await measured(raw.bytes.length, request)
  const isAboutThese =
    data.items.length === items.length &&
    items.every(({ header }, n) => [header.clientId, null].includes(data.items[n]?.clientId ?? null))
  if (!isAboutThese) throw new Error(`the answer to a pack of ${items.length} items is about others`)
  return data.items
}
