import { stageNews } from '../ats.ts'
import { haveAts, sharedAtsDouble, theirApplicant } from '../ats-double.ts'
import { theirCredentials } from '../ats-systems.ts'
import { oncePerWorld, type World } from '../world.ts'
import { type Examples, ofOrg } from './example.ts'

const wish = {
  provider: 'greenhouse' as const,
  label: 'Hiring',
  credentials: theirCredentials.greenhouse,
  settings: { triggerStages: ['Technical interview'] },
}

/** Below the ceiling of connections. */
const makeRoom = (world: World) =>
  world.server.app.db.transact((tx) =>
    tx.run('UPDATE ats_connections SET disconnected_at = 1 WHERE org_id = ? AND disconnected_at IS NULL', [
      world.scope.orgId,
    ]),
  )

const connected = async (world: World) => {
  haveAts(world.server, await sharedAtsDouble())
  await makeRoom(world)
  const { data } = await world.server.client().call('portal.ats.connect', { ...(await ofOrg(world)), body: wish })
  return data
}
const ofConnection = async (world: World) => {
  const { headers, params } = await ofOrg(world)
  const { id, inboundSecret } = await connected(world)
  return { headers, params: { ...params, configId: id }, inboundSecret }
}
const plain = async (world: World) => {
  const { headers, params } = await ofConnection(world)
  return { headers, params }
}

const failed = async (world: World, configId: string): Promise<string> => {
  const { app } = world.server
  const { orgId } = world.scope
  const id = app.newId('syn')
  const now = app.clock.now()
  await app.db.transact(async (tx) => {
    await tx.run(
      `INSERT INTO ats_syncs (org_id, sync_id, config_id, direction, what, status, application_id, session_id, attempts,
         ref, created_at, finished_at) VALUES (?, ?, ?, 'outbound', 'ended', 'failed', '1', ?, 6, ?, ?, ?)`,
      [orgId, id, configId, world.live.id, id, now, now],
    )
    await tx.run(
      `INSERT INTO ats_sync_counts (org_id, config_id, direction, status, n) VALUES (?, ?, 'outbound', 'failed', 1)
       ON CONFLICT (org_id, config_id, direction, status) DO UPDATE SET n = ats_sync_counts.n + 1`,
      [orgId, configId],
    )
  })
  return id
}

/** A key with which Greenhouse asks for assessments, and what it asks for. */
const ofPartner = async (world: World) => {
  haveAts(world.server, await sharedAtsDouble())
  await makeRoom(world)
  const body = { provider: 'greenhouse_assessment' as const, label: 'Assessments' }
  const { data } = await world.server.client().call('portal.ats.connect', { ...(await ofOrg(world)), body })
  return { headers: { authorization: `Basic ${btoa(`${data.inboundSecret}:`)}` } }
}
const wantedTest = async () => {
  const { url } = await sharedAtsDouble()
  const person = theirApplicant(await sharedAtsDouble())
  return {
    partner_test_id: 'usual',
    candidate: {
      first_name: person.first,
      last_name: person.last,
      email: person.email ?? '',
      greenhouse_profile_url: `https://app.greenhouse.io/people/${person.candidateId}?application_id=${person.applicationId}`,
    },
    sent_by: 'recruiter@example.org',
    url: `${url}/callback`,
  }
}

export const atsExamples = {
  'portal.ats.capabilities': ofOrg,
  'portal.ats.list': ofOrg,
  'portal.ats.connect': async (world) => {
    await makeRoom(world)
    return { ...(await ofOrg(world)), json: wish }
  },
  'portal.ats.update': async (world) => ({ ...(await plain(world)), json: { settings: { invite: false } } }),
  'portal.ats.remove': plain,
  'portal.ats.rotateSecret': plain,
  'portal.ats.test': plain,
  'portal.ats.sync': oncePerWorld(async (world) => {
    const example = await plain(world)
    for (let n = 0; n < 3; n++) await failed(world, example.params.configId)
    return example
  }),
  'portal.ats.replay': async (world) => {
    const { headers, params } = await plain(world)
    return { headers, params: { ...params, syncId: await failed(world, params.configId) } }
  },
  'assessments.listTests': ofPartner,
  'assessments.sendTest': async (world) => ({ ...(await ofPartner(world)), json: await wantedTest() }),
  'assessments.testStatus': async (world) => {
    const { headers } = await ofPartner(world)
    const payload = JSON.stringify(await wantedTest())
    const sending = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: payload }
    const sent = await fetch(`${world.server.url}/v1/integrations/assessments/send-test`, sending)
    return { headers, query: (await sent.json()) as { partner_interview_id: string } }
  },
  'assessments.responseError': async (world) => ({
    ...(await ofPartner(world)),
    json: { api_call: 'test_status', errors: ['partner_profile_url is missing'] },
  }),
  'ats.inbound': async (world) => {
    const { params, inboundSecret: secret } = await ofConnection(world)
    const person = theirApplicant(await sharedAtsDouble())
    return { params, ...stageNews.greenhouse(person, { secret, now: world.server.clock.now() }) }
  },
} satisfies Examples
