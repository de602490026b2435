import { randomBytes } from 'node:crypto'
import { type ReelHead, splitFrames } from '@integrity/protocol'
import {
  buildCaptureSession,
  type CaptureOptions,
  type CaptureSession,
  iso,
  picture,
} from '../../test-support/capture-session.ts'
import { type PackedItem, packedSound, packedStill, sendPack } from '../../test-support/packs.ts'
import { portalCookie } from '../../test-support/portal.ts'
import type { TestServer } from '../../test-support/server.ts'

export interface ReadReel {
  readonly status: number
  readonly headers: Headers
  readonly frames: readonly { readonly head: ReelHead; readonly body: Buffer }[]
  readonly nextMs: number | null | undefined
  readonly bytes: Buffer
}

/** A reel's frames; those that are none fail as they are read. */
export const readReel = async (
  url: string,
  headers: Readonly<Record<string, string>>,
  method = 'GET',
  body?: string,
): Promise<ReadReel> => {
  const answer = await fetch(url, { headers, method, ...(body === undefined ? {} : { body }) })
  const bytes = Buffer.from(await answer.arrayBuffer())
  const read = { status: answer.status, headers: answer.headers, bytes }
  if (answer.status !== 200 || method === 'HEAD') return { ...read, frames: [], nextMs: undefined }
  const all = splitFrames(bytes, { frames: 100_000, headBytes: 1024 }).map(({ head, body }) => ({
    head: JSON.parse(Buffer.from(head).toString()) as ReelHead & { readonly nextMs: number | null },
    body: Buffer.from(body),
  }))
  const last = all.pop()
  return { ...read, frames: all, nextMs: last?.head.nextMs }
}

export const newSmall = async (): Promise<string> => (await picture('webp', 16, 12)).toString('base64')
export const newLevels = (): string => randomBytes(100).toString('base64')

export const reelsOf = (current: () => TestServer) => {
  const startOf = async (s: CaptureSession): Promise<number> => {
    const { data } = await s.api.call('sessions.get', { params: { id: s.id } })
    return Date.parse(String(data.startedAt))
  }
  const keyHeaders = (s: CaptureSession) => {
    const org = current().orgs.find(({ orgId }) => orgId === s.orgId)!
    return { authorization: `Bearer ${s.environment === 'live' ? org.liveKey : org.sandboxKey}` }
  }
  const query = (asked: Readonly<Record<string, string | number>>) =>
    new URLSearchParams(Object.entries(asked).map(([name, value]) => [name, String(value)]))
  return {
    startOf,
    keyHeaders,
    session: (options?: CaptureOptions) => buildCaptureSession(current(), options),
    owner: () => portalCookie(current(), 'owner'),
    /** By the organisation's key. */
    ofKey: (s: CaptureSession, source: string, asked: Readonly<Record<string, string | number>> = {}, method = 'GET') =>
      readReel(
        `${current().url}/v1/api/sessions/${s.id}/reels/${encodeURIComponent(source)}?${query(asked)}`,
        keyHeaders(s),
        method,
      ),
    /** By a member. */
    ofMember: (
      s: CaptureSession,
      source: string,
      headers: Readonly<Record<string, string>>,
      asked: Readonly<Record<string, string | number>> = {},
    ) => readReel(`${current().url}/v1/sessions/${s.id}/reels/${encodeURIComponent(source)}?${query(asked)}`, headers),
    /** A still each so many milliseconds, with a small picture each, in one pack; the clock is where the last one is. */
    sendStills: async (
      s: CaptureSession,
      { count, everyMs = 5000, ...more }: { count: number; everyMs?: number } & Readonly<Record<string, unknown>>,
    ) => {
      const sent: PackedItem[] = []
      for (let n = 0; n < count; n++) {
        if (n > 0) current().clock.advance(everyMs)
        sent.push(await packedStill(current(), { small: await newSmall(), ...more }))
      }
      const ids: string[] = []
      for (let first = 0; first < sent.length; first += 64)
        for (const { evidence } of await sendPack(s, sent.slice(first, first + 64))) ids.push(evidence!.id)
      return { sent, ids }
    },
    sendSound: async (s: CaptureSession, count: number) => {
      const sent: PackedItem[] = []
      for (let sequence = 0; sequence < count; sequence++) {
        sent.push(packedSound(current(), { sequence, levels: newLevels() }))
        current().clock.advance(10_000)
      }
      return { sent, ids: (await sendPack(s, sent)).map(({ evidence }) => evidence!.id) }
    },
    end: (s: CaptureSession) => s.api.call('sessions.end', { params: { id: s.id } }),
    accessLog: async (s: CaptureSession) => {
      const headers = await portalCookie(current(), 'owner')
      const { data } = await current()
        .client()
        .call('portal.sessions.accessLog', { params: { id: s.id }, headers, query: { limit: 100 } })
      return data
    },
    iso,
  }
}
