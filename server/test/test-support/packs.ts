import { joinFrames, packMediaType } from '@integrity/protocol'
import { type CaptureSession, iso, newClientId, picture, sha256 } from './capture-session.ts'
import type { TestServer } from './server.ts'
import { newSound } from './world.ts'

export interface PackedItem {
  readonly head: Readonly<Record<string, unknown>> & { readonly clientId: string }
  readonly body: Buffer
}

/** A still as it stands in a pack; what is overridden is said, and not so. */
export const packedStill = async (
  server: TestServer,
  { body, ...more }: Readonly<Record<string, unknown>> & { readonly body?: Buffer } = {},
): Promise<PackedItem> => {
  const bytes = body ?? (await picture())
  const said = { evidenceType: 'screenshot', contentType: 'image/webp', capturedAt: iso(server.clock.now()) }
  return { head: { clientId: newClientId(), ...said, sha256: sha256(bytes), displayId: 'd1', ...more }, body: bytes }
}

export const packedSound = (
  server: TestServer,
  {
    sequence,
    body = newSound(),
    ...more
  }: Readonly<Record<string, unknown>> & {
    readonly sequence: number
    readonly body?: Buffer
  },
): PackedItem => {
  const said = { evidenceType: 'audio_chunk', contentType: 'audio/ogg', durationMs: 10_000, codec: 'opus' }
  const startedAt = iso(server.clock.now())
  return { head: { clientId: newClientId(), ...said, sha256: sha256(body), startedAt, sequence, ...more }, body }
}

export const packOf = (items: readonly PackedItem[]): Uint8Array<ArrayBuffer> => joinFrames(items)

/** What became of each item. */
export const sendPack = async (
  { agent, id }: Pick<CaptureSession, 'agent' | 'id'>,
  items: readonly PackedItem[],
  headers: Readonly<Record<string, string>> = {},
) => {
  const raw = { bytes: packOf(items), contentType: packMediaType, meta: {} }
  const { data } = await agent.call('agent.packs.upload', { params: { id }, raw, headers })
  return data.items
}
