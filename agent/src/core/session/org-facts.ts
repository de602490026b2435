import { contactOf } from '@integrity/protocol/clients/brand'
import { type AgentBrand, agentBrandOf } from '../../shared/ipc/agent-brand.ts'

/** Who asks. */
export interface OrgFacts {
  readonly orgName: string | undefined
  /** Whom the organisation names for questions about data: an e-mail address or an https address. */
  readonly privacyContact: string | undefined
  /** How the organisation looks; nothing of it is trusted to be readable. */
  readonly brand: AgentBrand | undefined
}

interface ToldOrg {
  readonly name: string
  readonly brand?: Readonly<Record<string, unknown>>
}

/** What an answer tells of it; older services tell of nobody once a session was joined. */
export const orgFactsOf = (org: ToldOrg | undefined): OrgFacts => ({
  orgName: org?.name,
  privacyContact: contactOf(org?.brand?.['privacyContact'])?.text,
  brand: agentBrandOf(org?.brand),
})
