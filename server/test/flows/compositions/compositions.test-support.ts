import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { compositionIdOf } from '../../../src/domains/review/compositions/compositions.id.model.ts'
import type { CaptureSession } from '../../test-support/capture-session.ts'
import type { TestServer } from '../../test-support/server.ts'
import { buildFilmable } from './film-session.ts'

/** The refusal with its words, for messages that a person acts on. */
export const refusalWords = async (call: Promise<unknown>): Promise<string> => {
  const { status, code, message } = await call.then(
    () => ({ status: 200, code: 'none', message: 'was not refused' }),
    (error: unknown) => error as { status: number; code: string; message: string },
  )
  return `${status} ${code}: ${message}`
}

/** The one composition of a session, and what these suites do with it. */
export const compositionsOf = (current: () => TestServer) => {
  const idOf = (s: CaptureSession) => compositionIdOf(s.id)
  const params = (s: CaptureSession) => ({ id: idOf(s) })
  const read = async (s: CaptureSession) => (await s.api.call('compositions.get', { params: params(s) })).data
  const listed = async (s: CaptureSession) =>
    (await s.api.call('sessions.compositions.list', { params: { id: s.id } })).data.items[0]!
  const render = (s: CaptureSession) => s.api.call('compositions.render', { params: params(s) })
  const link = async (s: CaptureSession) => {
    const { data } = await s.api.call('compositions.downloadUrl', { params: params(s) })
    const url = new URL(data.url)
    return current().url + url.pathname + url.search
  }
  const ready = async (s?: CaptureSession): Promise<CaptureSession> => {
    const session = s ?? (await buildFilmable(current()))
    await render(session)
    await current().processAll()
    expect((await read(session)).status).toBe('ready')
    return session
  }
  const leftovers = () => readdir(join(current().app.config.dataDir, 'films')).catch(() => [])
  return { idOf, params, read, listed, render, link, ready, leftovers }
}
