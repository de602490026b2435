import { useSending } from '@integrity/shared-ui/hooks/use-sending'
import { Button } from '@integrity/shared-ui/web/button'
import { HelpLine } from '@integrity/shared-ui/web/help-line'
import { SendProblemNotice } from '@integrity/shared-ui/web/send-problem'
import { Page, Shell } from '@integrity/shared-ui/web/shell'
import { Visited } from '@integrity/shared-ui/web/visited'
import type { ReactNode } from 'react'
import type { OpenDesk } from '../browser/open-desk.ts'
import { rememberedOrg } from '../browser/tab-memory.ts'
import { type Org, orgOf, type Person } from '../data/desk-api.ts'
import type { Route } from '../data/route.ts'
import { type Desk, DeskProvider, useRoute } from '../parts/desk-context.ts'
import { useLanguage } from '../parts/language.ts'
import { SignInPage } from '../rooms/sign-in/sign-in-page.tsx'
import { DeskHeader } from './desk-header.tsx'
import { FoundOrg, isWithoutOrg } from './found-org.tsx'
import { Room } from './room.tsx'

interface SignedInProps {
  readonly open: OpenDesk
  readonly person: Person
}

/** Whoever belongs to no organisation has nothing to do here yet. */
const NoOrg = ({ open, person }: SignedInProps) => {
  const { t } = useLanguage()
  return (
    <Page title={t('noOrgTitle')}>
      <p>{t('noOrgText', { email: person.user.email })}</p>
      <p>
        <a href={open.accountPage}>{t('ownAccount')}</a>
      </p>
    </Page>
  )
}

/** An operator of the service decides about requests for access, and may belong to no organisation. */
const noOrg: Org = {
  id: '',
  name: '',
  slug: '',
  createdAt: '',
  membershipId: '',
  role: 'reviewer',
  customRole: null,
  permissions: [],
}

const Operator = ({ open, person, route }: SignedInProps & { readonly route: Route }) => {
  const { t } = useLanguage()
  const { busy, problem, send } = useSending({ endedBy: open.endedBy })
  return (
    <DeskProvider value={{ ...open, person, org: noOrg }}>
      <nav className="desk-header" aria-label={t('navLabel')}>
        <a href={open.accountPage}>{t('ownAccount')}</a>
        <Button busy={busy} onClick={() => send(open.signOut)}>
          {t('signOut')}
        </Button>
        <SendProblemNotice problem={problem} />
      </nav>
      <Room route={route} />
    </DeskProvider>
  )
}

const SignedIn = ({ open, person }: SignedInProps): ReactNode => {
  const route = useRoute(open.navigation)
  const named = orgOf(person.orgs, route.org, rememberedOrg())
  const org = named ?? person.orgs[0]
  if (org === undefined && route.room === 'access-requests') return <Operator {...{ open, person, route }} />
  if (org === undefined) return <NoOrg open={open} person={person} />
  const desk: Desk = { ...open, person, org }
  const place = named ? route : ({ room: 'unknown' } as const)
  return (
    <DeskProvider value={desk}>
      <DeskHeader route={place} onSignOut={() => open.signOut(org.slug)} />
      {isWithoutOrg(place) && person.orgs.length > 1 ? (
        <FoundOrg key={place.id} route={place} orgs={person.orgs}>
          <Room route={place} />
        </FoundOrg>
      ) : (
        <Room route={place} />
      )}
    </DeskProvider>
  )
}

/** The desk of whoever is signed in; for everybody else the sign-in, which leads to the same place. */
export const DeskPage = ({ open }: { readonly open: OpenDesk }) => (
  <Shell footer={<HelpLine otherwise="helpManager" />}>
    <Visited visit={open.visit}>
      {({ person }) => (person ? <SignedIn open={open} person={person} /> : <SignInPage open={open.signIn} />)}
    </Visited>
  </Shell>
)
