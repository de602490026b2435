import type { Client } from '@integrity/client/every-endpoint'
import { agreeOnDevice, claimPhone, type Phone } from '../../test-support/devices.ts'
import type { TestServer } from '../../test-support/server.ts'
import { register, scheduleSession } from '../../test-support/world.ts'

/** A live session with a phone; agreed unless told otherwise. */
export const pairedPhone = async (
  server: TestServer,
  api: Client,
  agreed = true,
): Promise<Phone & { agent: string; phone: Client }> => {
  const session = await scheduleSession(api)
  await register(server, session)
  const made = await claimPhone(server, api, session.id)
  if (agreed) await agreeOnDevice(server, api, session.id, made.token, 'companion')
  return { ...made, agent: session.agent, phone: server.client(made.token) }
}

/** The types of what was told of a session's phone, oldest first. */
export const toldOfPhone = async (api: Client, sessionId: string) => {
  const { data } = await api.call('events.list', { query: { sessionId, limit: 100 } })
  return data.items
    .map(({ type }) => type)
    .filter((type) => type.startsWith('companion.'))
    .reverse()
}
