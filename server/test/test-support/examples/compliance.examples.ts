import { type Examples, ofOrg } from './example.ts'

export const complianceExamples = {
  'portal.compliance.dataProcessing': ofOrg,
} satisfies Examples
