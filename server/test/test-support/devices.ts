import type { Client } from '@integrity/client/every-endpoint'
import { consentDocument } from '../../src/domains/interviews/sessions/consent/consent.model.ts'
import { insertCredential } from '../../src/domains/interviews/sessions/joining/credentials.store.ts'
import { askedOf } from '../../src/domains/interviews/sessions/joining/window.service.ts'
import { insertCompanion } from '../../src/domains/recording/companions/companions.store.ts'
import type { Scope } from '../../src/kernel/identity/scope.ts'
import { newSecret } from '../../src/platform/crypto/secrets.ts'
import type { TestServer } from './server.ts'

/** A phone or a room device of a session, as its own domain would make it, without the way through a code. */
export const mintToken = async (server: TestServer, scope: Scope, sessionId: string, kind: 'companion' | 'room') => {
  const { app } = server
  const secret = newSecret(kind === 'room' ? 'rmt_' : 'cmt_')
  const now = app.clock.now()
  const id = app.newId(kind === 'room' ? 'rmd' : 'crd')
  const credential = { id, sessionId, kind, tokenHash: secret.hash, label: null }
  await app.db.transact(async (tx) => {
    await insertCredential(tx, scope, credential, now)
    const companion = { id: app.newId('cpn'), sessionId, credentialId: id, device: undefined, now }
    if (kind === 'companion') await insertCompanion(tx, scope, companion)
  })
  return secret.token
}

export interface Phone {
  readonly sessionId: string
  readonly token: string
  readonly companionId: string
  readonly documentHash: string
}

/** Pairs a phone through the interface, from the code to the token. */
export const claimPhone = async (server: TestServer, api: Client, sessionId: string): Promise<Phone> => {
  const link = await api.call('sessions.joinLinks.create', { params: { id: sessionId }, body: { role: 'companion' } })
  const { data } = await server.client().call('pairings.claim', { params: { joinCode: link.data.joinCode } })
  const { companionToken: token, companionId, consentDocument: document } = data
  return { sessionId, token, companionId, documentHash: document.hash }
}

/** The answer of a device to the document of its own lane. */
export const deviceAnswer = (server: TestServer, documentHash: string, accepted = true) => ({
  version: '1',
  locale: 'en',
  documentHash,
  accepted,
  acceptedAt: new Date(server.clock.now()).toISOString(),
})

/** Consent of the phone or the room behind a token. */
export const agreeOnDevice = async (
  server: TestServer,
  api: Client,
  sessionId: string,
  token: string,
  kind: 'companion' | 'room',
): Promise<void> => {
  const { reader } = server.app.db
  const sql = 'SELECT org_id AS "orgId", environment FROM sessions WHERE session_id = ?'
  const scope = await reader.get<Scope>(sql, [sessionId])
  if (!scope) throw new Error(`there is no session ${sessionId}`)
  const { data } = await api.call('sessions.get', { params: { id: sessionId } })
  // A plan or a policy may keep it for a shorter time than the session asks for: it is shown what is so.
  const config = await askedOf({ ...server.app, reader, scope }, { id: sessionId, config: data.config })
  const document = consentDocument(config, [kind === 'room' ? 'room_camera' : 'side_view'])
  const call = { params: { sessionId }, body: deviceAnswer(server, document.hash) }
  if (kind === 'room') await server.client(token).call('rooms.consent', call)
  else await server.client(token).call('pairings.consent', call)
}
