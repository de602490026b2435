import { dayAndTime } from '@integrity/shared-ui/session/appointment-times'
import { HelpLine } from '@integrity/shared-ui/web/help-line'
import { Page, MessagePage as SharedMessagePage, Shell } from '@integrity/shared-ui/web/shell'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import { Visited } from '@integrity/shared-ui/web/visited'
import { useState, useSyncExternalStore } from 'react'
import type { OpenInvite } from '../../browser/open-invite.ts'
import { usePageBrand } from '../../components/brand.ts'
import type { InviteFacts, InviteInHand, Joined } from '../../session/invite-api.ts'
import type { InviteText } from '../../texts/invite.ts'
import { AcceptForm } from './accept-form.tsx'
import { useLanguage } from './language.ts'
import { type Over, OverPage } from './over-page.tsx'

const MessagePage = SharedMessagePage<InviteText>

type Say = (text: InviteText) => string

const roleOf = ({ role, customRole }: Pick<InviteFacts, 'role' | 'customRole'>, say: Say): string =>
  customRole?.name ?? say(`${role}Role`)

const DonePage = ({ org, membership, user, lacksSecondFactor }: Joined) => {
  const { t } = useLanguage()
  return (
    <Page key="done" title={t('doneTitle', { org: org.name })} sign="done">
      <p>{t('doneText', { role: roleOf(membership, t), email: user.email })}</p>
      {lacksSecondFactor ? <p>{t('doneFactor', { org: org.name })}</p> : null}
      <p>
        <a href="../account/">{t(lacksSecondFactor ? 'addFactor' : 'toAccount')}</a>
      </p>
    </Page>
  )
}

interface Props extends InviteInHand {
  readonly open: OpenInvite
}

/** An invite that works or does not, until it was accepted. */
const Invited = ({ open, invite, signedInAs }: Props) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const [joined, setJoined] = useState<Joined>()
  const [over, setOver] = useState<Over>()
  if (joined) return <DonePage {...joined} />
  const status = over ?? invite.status
  if (status !== 'pending') return <OverPage why={status} invite={invite} />
  const { org, email, expiresAt, message } = invite
  return (
    <Page key="pending" title={t('title', { org: org.name })}>
      <p>{t('invited', { email, until: dayAndTime(expiresAt, locale) })}</p>
      <p>{t('role', { role: roleOf(invite, t) })}</p>
      {message === null ? null : (
        <>
          <p>{t('theirWords')}</p>
          <blockquote className="written">{message}</blockquote>
        </>
      )}
      <AcceptForm open={open} invite={invite} signedInAs={signedInAs} onJoined={setJoined} onOver={setOver} />
      <p className="small">{t('acceptAfter')}</p>
    </Page>
  )
}

const never = () => () => {}

/** Where somebody accepts to become a member. Without a link there is nothing to show. */
export const InvitePage = ({ open }: { readonly open: OpenInvite | undefined }) => {
  useSyncExternalStore(open?.visit.subscribe ?? never, () => open?.visit.state)
  const brand = usePageBrand(open?.visit.facts?.invite.org)
  return (
    <Shell name={brand?.name} brand={brand} footer={<HelpLine contact={brand?.contact} />}>
      {open ? (
        <Visited visit={open.visit}>{(facts) => <Invited open={open} {...facts} />}</Visited>
      ) : (
        <MessagePage title="wrongTitle" text="wrongText" />
      )}
    </Shell>
  )
}
