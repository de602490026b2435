import type { LinkOver } from '@integrity/shared-ui/session/link-end'
import { Actions, Button } from '@integrity/shared-ui/web/button'
import { HelpLine } from '@integrity/shared-ui/web/help-line'
import { MessagePage, Shell } from '@integrity/shared-ui/web/shell'
import { Visited } from '@integrity/shared-ui/web/visited'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import type { OpenInvitation } from '../../browser/open-invitation.ts'
import { usePageBrand } from '../../components/brand.ts'
import type { InvitationText } from '../../texts/invitation.ts'
import { InvitedPage } from './invited-page.tsx'
import { useLanguage } from './language.ts'

interface Props {
  readonly invitation: OpenInvitation
}

/** Ends after which there may be something that is kept, and that one may ask about. */
const mayHaveData: readonly LinkOver[] = ['expired', 'revoked', 'declined']

/** Why the link opens nothing, and what can be done. */
const OverPage = ({ why, toRequests }: { readonly why: LinkOver; readonly toRequests: () => void }) => {
  const { t } = useLanguage()
  return (
    <MessagePage<InvitationText> title={`${why}Title`} text={`${why}Text`}>
      {mayHaveData.includes(why) ? (
        <>
          <p>{t('dataTextOver')}</p>
          <Actions>
            <Button onClick={toRequests}>{t('dataOpen')}</Button>
          </Actions>
        </>
      ) : null}
    </MessagePage>
  )
}

/** The document of what will be asked for comes in the language of the page, also when that is changed. */
const useRelocalise = (invitation: OpenInvitation): void => {
  const { code } = useLanguage().language
  const read = useRef(code)
  useEffect(() => {
    if (read.current === code) return
    read.current = code
    void invitation.visit.refresh()
  }, [code, invitation])
}

/** What the link in an invitation opens. */
export const InvitationPage = ({ invitation }: Props) => {
  const { visit } = invitation
  useSyncExternalStore(visit.subscribe, () => visit.state)
  useRelocalise(invitation)
  const brand = usePageBrand(visit.facts?.org)
  return (
    <Shell
      name={brand?.name}
      brand={brand}
      footer={<HelpLine contact={brand?.contact} session={visit.facts?.session.id} />}
    >
      <Visited
        visit={visit}
        over={(why) => <OverPage key={why} why={why} toRequests={() => invitation.toRequests()} />}
      >
        {(facts) => <InvitedPage invitation={invitation} facts={facts} />}
      </Visited>
    </Shell>
  )
}
