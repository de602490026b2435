import { type Examples, ofOrg } from './example.ts'

export const insightsExamples = {
  'portal.insights.get': ofOrg,
} satisfies Examples
