import { type Examples, ofOrg } from './example.ts'

export const usageExamples = {
  'portal.usage.get': ofOrg,
} satisfies Examples
