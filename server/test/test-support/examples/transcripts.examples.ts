import { aSegment } from '../world.ts'
import { type Examples, ofAgent, ofKey, ofUser } from './example.ts'

export const transcriptsExamples = {
  'sessions.transcript': ofKey,
  'portal.transcript': ofUser,
  'agent.transcript.upsert': (world) => ({ ...ofAgent(world), json: { segments: [aSegment(1)] } }),
  'portal.timeline': ofUser,
} satisfies Examples
