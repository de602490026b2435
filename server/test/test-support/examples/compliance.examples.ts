import { type Examples, ofOrg } from './example.ts'

export const complianceExamples = {
  'portal.compliance.dataProcessing': ofOrg,
  'portal.compliance.sentences': ofOrg,
  'portal.compliance.paper': ofOrg,
  'portal.compliance.statement': ofOrg,
} satisfies Examples
