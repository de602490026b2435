import { type Examples, ofKey, ofUser } from './example.ts'

export const bundlesExamples = {
  'portal.sessions.bundle': ofUser,
  'sessions.bundle': ofKey,
} satisfies Examples
