import { createLinkPagePorts } from '@integrity/shared-ui/browser/link-page'
import { Visit } from '@integrity/shared-ui/session/visit'
import { HelpLine } from '@integrity/shared-ui/web/help-line'
import { Shell } from '@integrity/shared-ui/web/shell'
import { useMemo } from 'react'
import type { OpenInvitation } from '../../browser/open-invitation.ts'
import type { InvitationFacts } from '../../session/invitation-api.ts'
import { invitationLanguages } from '../../texts/invitation.ts'
import { InvitedPage } from '../invitation/invited-page.tsx'
import { InLanguage } from './in-language.tsx'
import type { PreviewProps } from './preview-props.ts'
import { sampleInvitation } from './sample.ts'

/** Of an interview that there is not, the service is asked nothing. */
const unanswered = () => new Promise<never>(() => undefined)

const openSample = (facts: InvitationFacts): OpenInvitation => {
  const { baseUrl, time, page } = createLinkPagePorts()
  const visit = new Visit({ read: unanswered, time, page })
  const call = { ask: unanswered, stream: unanswered, file: unanswered }
  return { sessionId: facts.session.id, call, visit, baseUrl, time, page, toRequests: () => undefined }
}

/** The invitation’s own page, as a link of an e-mail opens it. */
export const InvitationPreview = ({ shown, brand }: PreviewProps) => {
  const facts = sampleInvitation(shown)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is open stays so while a brand is typed
  const invitation = useMemo(() => openSample(facts), [])
  return (
    <InLanguage languages={invitationLanguages} code={shown.language}>
      <Shell name={brand.name} brand={brand} footer={<HelpLine contact={brand.contact} />}>
        <InvitedPage invitation={invitation} facts={facts} />
      </Shell>
    </InLanguage>
  )
}
