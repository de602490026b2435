import type { EvidenceType } from '@integrity/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { heldObjects } from '../../../src/domains/recording/evidence/held.service.ts'
import {
  buildCaptureSession,
  type CaptureSession,
  iso,
  newClientId,
  picture,
  sendStill,
  sha256,
} from '../../test-support/capture-session.ts'
import { deviceAnswer } from '../../test-support/devices.ts'
import { enginesInTurn } from '../../test-support/engines.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { newPicture, stillFor } from '../../test-support/world.ts'
import { scopeOf } from './evidence.test-support.ts'

for (const engine of enginesInTurn(import.meta.filename))
  describe(`the source of evidence (${engine})`, () => {
    let server: TestServer
    beforeAll(async () => {
      server = await startServer({ engine })
    })
    afterAll(() => server.stop())

    const cameraFrame = async (s: CaptureSession, token = s.token) => {
      const bytes = await newPicture()
      const body = { ...stillFor(server, bytes), data: bytes.toString('base64') }
      return (await server.client(token).call('agent.cameraFrames.upload', { params: { id: s.id }, body })).data
    }
    const roomOf = async (s: CaptureSession) => {
      const { data } = await s.api.call('sessions.roomDevices.create', { params: { id: s.id }, body: {} })
      const browser = server.client(data.roomToken)
      const params = { sessionId: s.id }
      const shown = await browser.call('rooms.get', { params })
      await browser.call('rooms.consent', { params, body: deviceAnswer(server, shown.data.consentDocument.hash) })
      return data.roomToken
    }
    const upload = async (s: CaptureSession, evidenceType: EvidenceType, metadata: Record<string, unknown>) => {
      const bytes = await picture()
      const client = server.client(s.token)
      const begun = await client.call('agent.uploads.begin', {
        params: { id: s.id },
        body: {
          clientId: newClientId(),
          evidenceType,
          contentType: 'image/webp',
          metadata,
          sizeBytes: bytes.length,
          sha256: sha256(bytes),
          capturedAt: iso(server.clock.now()),
        },
      })
      if (!('uploadId' in begun.data)) throw new Error('the item is here already')
      const params = { uploadId: begun.data.uploadId }
      await client.call('agent.uploads.part', {
        params,
        body: { index: 0, sha256: sha256(bytes), data: bytes.toString('base64') } as never,
      })
      return (await client.call('agent.uploads.complete', { params })).data
    }
    const listed = async ({ api, id }: CaptureSession) =>
      (await api.call('sessions.evidence.list', { params: { id }, query: {} })).data.items

    it('is told by the credential: the camera in the room is not the webcam', async () => {
      const s = await buildCaptureSession(server)
      const webcam = await cameraFrame(s)
      const room = await cameraFrame(s, await roomOf(s))
      expect([webcam, room]).toMatchObject([
        { evidenceType: 'camera_frame', source: 'camera', sentBy: 'agent' },
        { evidenceType: 'camera_frame', source: 'room_camera', sentBy: 'room' },
      ])
      expect(await listed(s)).toEqual([webcam, room])
      const events = await s.api.call('events.list', { query: { types: 'evidence.ready', sessionId: s.id } })
      expect(events.data.items.map(({ data }) => data['evidence'])).toMatchObject([
        { source: 'room_camera', sentBy: 'room' },
        { source: 'camera', sentBy: 'agent' },
      ])
    })

    it('names each display that the agent names, and takes nothing else from the sender', async () => {
      const s = await buildCaptureSession(server)
      expect((await sendStill(server, s, { displayId: 'eDP-1' })).data.source).toBe('screen:eDP-1')
      expect((await sendStill(server, s, {})).data.source).toBe('screen')
      const lies = { source: 'microphone', sentBy: 'phone', displayId: 'DP-2' }
      expect(await upload(s, 'screenshot', lies)).toMatchObject({ source: 'screen:DP-2', sentBy: 'agent' })
      for (const displayId of [7, '', { id: 'DP-2' }, 'x'.repeat(101)])
        expect((await upload(s, 'screenshot', { displayId })).source).toBe('screen')
      expect(await upload(s, 'camera_frame', lies)).toMatchObject({ source: 'camera', sentBy: 'agent' })
    })

    it('of rows from before it was written is told by what they say, and heldObjects knows it too', async () => {
      const s = await buildCaptureSession(server)
      const still = { capturedAt: server.clock.now(), durationMs: null }
      await sendStill(server, s, { displayId: '2' })
      await cameraFrame(s)
      const held = await heldObjects({ reader: server.app.db.reader, scope: scopeOf(s) }, s.id)
      expect(held).toEqual([
        { ...still, source: 'camera', lane: 'camera', evidenceType: 'camera_frame' },
        { ...still, source: 'screen:2', lane: 'screen', evidenceType: 'screenshot' },
      ])
      const before = await listed(s)
      await server.app.db.transact((tx) =>
        tx.run('UPDATE evidence SET source = NULL, sent_by = NULL WHERE session_id = ?', [s.id]),
      )
      expect(await listed(s)).toEqual(before)
      expect(await heldObjects({ reader: server.app.db.reader, scope: scopeOf(s) }, s.id)).toEqual(held)
    })
  })
