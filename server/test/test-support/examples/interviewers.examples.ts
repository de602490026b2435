import { interviewerAddress, toldSession } from '../interviewers.ts'
import { asMember } from '../invitations.ts'
import type { World } from '../world.ts'
import type { Example } from './example.ts'

const ofTold = async (world: World): Promise<Example> => {
  const { orgId } = world.scope
  const { sessionId } = await toldSession(world)
  return { ...(await asMember(world.server, orgId)), params: { orgId, id: sessionId } }
}

const ofOne = async (world: World): Promise<Example> => {
  const { orgId } = world.scope
  const { sessionId, interviewerId } = await toldSession(world)
  return { ...(await asMember(world.server, orgId)), params: { orgId, id: sessionId, interviewerId } }
}

export const interviewersExamples = {
  'portal.interviewers.list': ofTold,
  'portal.interviewers.add': async (world) => ({
    ...(await ofTold(world)),
    json: { email: interviewerAddress(), name: 'Interviewer 2', locale: 'hi-IN' },
  }),
  'portal.interviewers.correct': async (world) => ({ ...(await ofOne(world)), json: { name: 'Interviewer 3' } }),
  'portal.interviewers.remove': ofOne,
  'interviewers.inspect': async (world) => ({
    headers: { authorization: `Bearer ${(await toldSession(world)).token}` },
    json: {},
  }),
} satisfies Readonly<Record<string, (world: World) => Promise<Example>>>
